import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { buildPages } from '../build/build-pages.ts'
import { listen } from '../http-server/listen.ts'
import type { Board, DemoFacts, DemoState } from './demo-state.ts'
import { ownUserOnly } from './own-user-only.ts'
import { streamItems } from './stream-items.ts'

const newKey = () => randomBytes(24).toString('base64url')

interface CreateHomeOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly facts: DemoFacts
  readonly board: Board<DemoState>
  /** Requests of the pages, by the path that they lie below, such as `/api` or `/console/api`. */
  readonly routes: (home: HomePlace) => Readonly<Record<string, Hono>>
}

export interface HomePlace {
  /** Aborts when the server ends: open streams must end then. */
  readonly ending: AbortSignal
}

export type Home = Awaited<ReturnType<typeof createHome>>

/**
 * Starts the home of the demo: the landing page at `/`, and each `<name>.html` of this folder at `/<name>`. It listens
 * on this machine, and answers only who has its key.
 */
export async function createHome({ port, facts, board, routes }: CreateHomeOptions) {
  const pages = await buildPages('home')
  await using resources = new AsyncDisposableStack()
  const host = '127.0.0.1'
  const listening = await listen({ host, port })
  resources.defer(() => listening.close())
  const origin = `http://${host}:${listening.port}`
  const [key, onceKey] = [newKey(), newKey()]
  const ending = new AbortController()
  resources.defer(() => ending.abort())
  const app = new Hono()
    .use(
      secureHeaders({
        referrerPolicy: 'no-referrer',
        xFrameOptions: 'DENY',
        strictTransportSecurity: false,
        contentSecurityPolicy: {
          defaultSrc: ["'self'"],
          // The component library writes its dynamic styles into style elements.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:'],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: [new URL(facts.payloadUrl).origin],
          frameAncestors: ["'none'"],
        },
      }),
    )
    .get('/favicon.ico', c => c.body(null, 204))
    .use(ownUserOnly({ origin, key, onceKey }))
    .get('/assets/*', serveStatic({ root: pages, precompressed: true }))
    .get('/events', c =>
      streamItems<{ facts: DemoFacts; state: DemoState }>(c, ending.signal, send => {
        send({ facts, state: board.state })
        return board.onChange(state => send({ facts, state }))
      }),
    )
  for (const [path, area] of Object.entries(routes({ ending: ending.signal }))) app.route(path, area)
  app.get('/:page{[a-z-]*}', async c => {
    const page = await readFile(join(pages, `${c.req.param('page') || 'index'}.html`), 'utf8').catch(
      () => undefined,
    )
    c.header('cache-control', 'no-store')
    return page === undefined ? c.notFound() : c.html(page)
  })
  listening.answer((request, env) => app.fetch(request, env))
  const owned = resources.move()
  return {
    origin,
    /** Address to open in the browser, with the key. */
    url: `${origin}/?key=${key}`,
    /** The same for one visit, for the start of a browser. */
    onceUrl: `${origin}/?key=${onceKey}`,
    urlOf: (page: string) => `${origin}/${page}?key=${key}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

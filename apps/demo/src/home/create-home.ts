import { join } from 'node:path'
import { buildPages, listen } from '@service-link/service'
import { Hono } from 'hono'
import { ownPages } from '../own-pages/own-pages.ts'
import type { PageKeys } from '../own-pages/page-keys.ts'
import type { Board, DemoFacts, DemoState } from './demo-state.ts'
import { streamItems } from './stream-items.ts'

interface CreateHomeOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly keys: PageKeys
  readonly facts: DemoFacts
  readonly board: Board
  /** Requests of the pages, by the path that they lie below, such as `/api`. Open streams must end with `ending`. */
  readonly routes: (ending: AbortSignal) => Readonly<Record<string, Hono>>
}

/** Starts the home of the demo: the landing page at `/`, and the console. It listens on this machine. */
export async function createHome({ port, keys, facts, board, routes }: CreateHomeOptions) {
  const folder = await buildPages({
    name: 'home',
    app: join(import.meta.dirname, '..', '..'),
    roots: ['src/home'],
  })
  await using resources = new AsyncDisposableStack()
  const listening = await listen({ host: '127.0.0.1', port })
  resources.defer(() => listening.close())
  const { origin } = listening
  const ending = new AbortController()
  resources.defer(() => ending.abort())
  const pages = { '/': [new URL(facts.payloadUrl).origin], '/console': [] }
  const app = new Hono().route('/', ownPages({ folder, pages, keys })).get('/events', c =>
    streamItems<{ facts: DemoFacts; state: DemoState }>(c, ending.signal, send => {
      send({ facts, state: board.state })
      return board.onChange(state => send({ facts, state }))
    }),
  )
  for (const [path, area] of Object.entries(routes(ending.signal))) app.route(path, area)
  listening.answer((request, env) => app.fetch(request, env))
  const owned = resources.move()
  return {
    origin,
    /** Address of a page, such as `console`, that opens once. */
    openUrl: (page = '') => keys.addressOf(`${origin}/${page}`),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

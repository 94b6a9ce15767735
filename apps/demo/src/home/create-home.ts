import { join } from 'node:path'
import { buildPages, listen } from '@service-link/service'
import { Hono } from 'hono'
import { ownPages } from '../own-pages/own-pages.ts'
import type { PageKeys } from '../own-pages/page-keys.ts'

interface CreateHomeOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly keys: PageKeys
  /** Address of the partner link's post, which the landing page's form makes. */
  readonly payloadUrl: string
  /** Answers of the pages' requests, by the path that they lie below, such as `/api`. */
  readonly routes: Readonly<Record<string, Hono>>
}

/** Starts the home of the demo: the landing page at `/`, and the console. It listens on this machine. */
export async function createHome({ port, keys, payloadUrl, routes }: CreateHomeOptions) {
  const folder = await buildPages({
    name: 'home',
    app: join(import.meta.dirname, '..', '..'),
    roots: ['src/home'],
  })
  const { origin, answer, close } = await listen({ host: '127.0.0.1', port })
  const pages = { '/': [new URL(payloadUrl).origin], '/console': [] }
  const app = new Hono().route('/', ownPages({ folder, pages, keys }))
  for (const [path, area] of Object.entries(routes)) app.route(path, area)
  answer((request, env) => app.fetch(request, env))
  return {
    origin,
    /** Address of a page, such as `console`, that opens once. */
    openUrl: (page = '') => keys.addressOf(`${origin}/${page}`),
    [Symbol.asyncDispose]: () => close(),
  }
}

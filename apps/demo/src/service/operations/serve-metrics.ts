import { listen } from '../../http-server/listen.ts'
import type { Metrics } from './metrics.ts'

/** Where the metrics are served. */
export interface MetricsAddress {
  /** 0 takes a free port. */
  readonly port: number
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string
}

/** The metrics' own server. */
export interface MetricsServer extends AsyncDisposable {
  readonly url: string
}

/**
 * Serves `GET /metrics` at an address of its own: at the service's one a proxy would show it to the world.
 *
 * @throws Node's error when the port is taken
 */
export async function serveMetrics(
  metrics: Metrics,
  { port, host = '127.0.0.1' }: MetricsAddress,
): Promise<MetricsServer> {
  const listening = await listen({ host, port })
  listening.answer(({ method, url }) => {
    if (new URL(url).pathname !== '/metrics') return new Response('Not found\n', { status: 404 })
    if (method === 'GET') return metrics.respond()
    return new Response('Method not allowed\n', { status: 405, headers: { allow: 'GET' } })
  })
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${listening.port}/metrics`,
    [Symbol.asyncDispose]: () => listening.close(1000),
  }
}

import type { ReceiverEvent } from '@service-link/receiver'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { listen } from '../../http-server/listen.ts'
import type { PoolCounts } from '../database/dialect.ts'

export type Metrics = ReturnType<typeof createMetrics>

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Makes the counters of one service, in a separate registry. Strangers cannot choose labels, so their number is
 * limited.
 */
export function createMetrics(pool?: () => PoolCounts) {
  const registry = new Registry()
  const registers = [registry]
  const durations = new Histogram({
    name: 'service_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers,
  })
  const outcomes = new Counter({
    name: 'service_partner_link_total',
    help: 'Requests of the partner link by what they were answered with; partner is empty before the signature is verified',
    labelNames: ['outcome', 'partner'],
    registers,
  })
  const auditFailures = new Counter({
    name: 'service_audit_failures_total',
    help: 'Refusals that could not be written to the audit log',
    registers,
  })
  if (pool) collectPool(registry, pool)
  collectDefaultMetrics({ register: registry })
  return {
    /** `route` is a pattern such as `/api/persons/:id`, never an address, which may contain a handle. */
    observeRequest: (method: string, route: string, status: number, durationSeconds: number) =>
      durations.observe({ method, route, status: String(status) }, durationSeconds),
    // Only verified posts have a partner's id, so there are no more labels than partners.
    observePartnerLink: ({ result, partnerId = '' }: Pick<ReceiverEvent, 'result' | 'partnerId'>) =>
      outcomes.inc({ outcome: result, partner: partnerId }),
    countAuditFailure: () => auditFailures.inc(),
    async respond() {
      const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' }
      return new Response(await registry.metrics(), { headers })
    },
  }
}

function collectPool(registry: Registry, pool: () => PoolCounts): void {
  new Gauge({
    name: 'service_database_connections',
    help: 'Connections to the database by state, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = pool()
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'used' }, total - idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}

export interface MetricsAddress {
  readonly port: number
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string
}

/** Serves `GET /metrics` at a separate address, because a proxy makes the service's address public. */
export async function serveMetrics(metrics: Metrics, { port, host = '127.0.0.1' }: MetricsAddress) {
  const listening = await listen({ host, port })
  listening.answer(({ method, url }) => {
    if (new URL(url).pathname !== '/metrics') return new Response('Not found\n', { status: 404 })
    if (method === 'GET') return metrics.respond()
    return new Response('Method not allowed\n', { status: 405, headers: { allow: 'GET' } })
  })
  return {
    url: `${listening.origin}/metrics`,
    [Symbol.asyncDispose]: () => listening.close(1000),
  }
}

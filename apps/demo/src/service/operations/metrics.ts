import type { ReceiverEvent } from '@service-link/jwt-payload/receiver'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { PoolCounts } from '../database/dialect.ts'
import { collectProcessMetrics } from './process-metrics.ts'

/** One answered request. */
export interface RequestFacts {
  readonly method: string
  /** The route's pattern, such as `/api/persons/:id`; never an address, which may hold a handle. */
  readonly route: string
  readonly status: number
  readonly durationSeconds: number
}

/** What a service counts, for a monitoring system. Labels are few: nothing that a stranger chooses becomes one. */
export interface Metrics extends Disposable {
  observeRequest(facts: RequestFacts): void
  observePartnerLink(event: Pick<ReceiverEvent, 'result' | 'partnerId'>): void
  countAuditFailure(): void
  /** Answers with everything, in the text format of Prometheus. */
  respond(): Promise<Response>
}

/** Upper bounds of the durations, in seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Makes the counters of one service, in a registry of its own.
 *
 * @param pool tells of the database's connections; left out where there is no pool
 */
export function createMetrics(pool?: () => PoolCounts): Metrics {
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
  const processMetrics = collectProcessMetrics(registry)
  return {
    observeRequest: ({ method, route, status, durationSeconds }) =>
      durations.observe({ method, route, status: String(status) }, durationSeconds),
    // A partner's id comes with its verified signature only: there are no more of them than partners.
    observePartnerLink: ({ result, partnerId = '' }) => outcomes.inc({ outcome: result, partner: partnerId }),
    countAuditFailure: () => auditFailures.inc(),
    async respond() {
      const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' }
      return new Response(await registry.metrics(), { headers })
    },
    [Symbol.dispose]: () => processMetrics[Symbol.dispose](),
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

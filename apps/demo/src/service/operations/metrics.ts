import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ReceiverEvent } from '@service-link/jwt-payload/receiver'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { listen } from '../../http-server/listen.ts'
import type { PoolCounts } from '../database/dialect.ts'

interface RequestFacts {
  readonly method: string
  /** The route's pattern, such as `/api/persons/:id`; never an address, which may contain a handle. */
  readonly route: string
  readonly status: number
  readonly durationSeconds: number
}

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
  const processMetrics = collectProcessMetrics(registry)
  return {
    observeRequest: ({ method, route, status, durationSeconds }: RequestFacts) =>
      durations.observe({ method, route, status: String(status) }, durationSeconds),
    // Only verified posts have a partner's id, so there are no more labels than partners.
    observePartnerLink: ({ result, partnerId = '' }: Pick<ReceiverEvent, 'result' | 'partnerId'>) =>
      outcomes.inc({ outcome: result, partner: partnerId }),
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

/**
 * Adds processor time, memory, start time and event-loop lag of the process, under the usual names. The library's own
 * collection cannot be stopped before the process ends.
 */
function collectProcessMetrics(registry: Registry): Disposable {
  const registers = [registry]
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Time of the processor that the process used',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  gauge('process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss())
  gauge('nodejs_heap_size_used_bytes', 'Memory that JavaScript uses', () => process.memoryUsage().heapUsed)
  gauge('process_start_time_seconds', 'When the process started, in seconds since 1970', () =>
    Math.round(performance.timeOrigin / 1000),
  )
  gauge('nodejs_eventloop_lag_mean_seconds', 'How late the event loop was, since the last question', () =>
    seconds(delay.mean),
  )
  gauge('nodejs_eventloop_lag_max_seconds', 'How late the event loop was at most, since then', () => {
    const max = seconds(delay.max)
    delay.reset()
    return max
  })
  return { [Symbol.dispose]: () => void delay.disable() }
}

/** The histogram includes the timer's interval, and has no mean before the first round. */
function seconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - 0.01) : 0
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
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${listening.port}/metrics`,
    [Symbol.asyncDispose]: () => listening.close(1000),
  }
}

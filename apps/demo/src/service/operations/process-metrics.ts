import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from 'prom-client'

/**
 * Adds what is known of the process: time of the processor, memory, start, and how late its event loop is. The names are
 * those that monitoring systems know.
 *
 * The library's own collection is not used: it watches the event loop and the garbage collector until the process ends.
 *
 * @returns ends the watching of the event loop
 */
export function collectProcessMetrics(registry: Registry): Disposable {
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

/** The histogram counts the timer's own interval in, and has no mean before the first round. */
function seconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - 0.01) : 0
}

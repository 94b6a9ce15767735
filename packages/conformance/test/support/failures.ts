import type { ConformanceReport } from '../../src/index.ts'

/** The faults by scenario, of those that are not as expected. */
export function failuresOf({ scenarios }: ConformanceReport): Readonly<Record<string, readonly string[]>> {
  const failed = scenarios.filter(({ outcome }) => outcome === 'failed' || outcome === 'unexpected-pass')
  return Object.fromEntries(failed.map(({ id, faults }) => [id, faults]))
}

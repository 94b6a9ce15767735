import { setTimeout as wait } from 'node:timers/promises'

/** Waits, but not longer than until one of the signals aborts. Never rejects, and does not keep the process alive. */
export async function pause(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  const signal = AbortSignal.any([...signals])
  await wait(ms, undefined, { signal, ref: false }).catch(() => undefined)
}

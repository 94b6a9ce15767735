/**
 * Waits for something that others may wait for too: it goes on when one of them gives up.
 *
 * @throws what it rejects with, or the signal's reason
 */
export async function waitFor<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (!signal) return promise
  signal.throwIfAborted()
  const settled = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: settled.signal })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    settled.abort()
  }
}

import { connectHost, type Host, type HostHandlers } from '@service-link/wrapper-host/page'
import { useEffect, useState } from 'react'

let host: Host | undefined

/** Connects the page to its wrapper, if there is one. Call it once. */
export function startHost(handlers: HostHandlers): void {
  host = connectHost(handlers)
}

/** The wrapper; `undefined` before {@link startHost}. In an ordinary browser its methods do nothing. */
export function currentHost(): Host | undefined {
  return host
}

/** The wrapper's name and version; `undefined` in an ordinary browser. */
export function useHostInfo() {
  const [info, setInfo] = useState<Awaited<Host['info']>>()
  useEffect(() => {
    void currentHost()?.info.then(setInfo)
  }, [])
  return info
}

/** State of a part of the page: drawn with its data or with a failure. */
type Standing = 'ready' | Error

const standings = new Map<string, Standing>()
const waiting = new Set<() => void>()

/** Reports that a part of the page is on the screen, with its data or its failure. */
export function useVisible(
  name: string,
  {
    status,
    isPlaceholderData,
    error,
  }: {
    readonly status: 'pending' | 'success' | 'error'
    readonly isPlaceholderData?: boolean
    readonly error: Error | null
  },
): void {
  const isReady = status === 'success' && !isPlaceholderData
  useEffect(() => {
    if (!isReady && !error) return
    standings.set(name, error ?? 'ready')
    for (const check of waiting) check()
    return () => {
      standings.delete(name)
    }
  }, [name, isReady, error])
}

/** Waits until a part of the page is on the screen; rejects if it could not be loaded, or the signal aborts. */
export function untilVisible(name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      waiting.delete(check)
      signal.removeEventListener('abort', onAbort)
      finish()
    }
    const onAbort = () => settle(() => reject(signal.reason))
    const check = () => {
      const standing = standings.get(name)
      if (standing === 'ready') settle(resolve)
      else if (standing) settle(() => reject(standing))
    }
    if (signal.aborted) return reject(signal.reason)
    waiting.add(check)
    signal.addEventListener('abort', onAbort)
    check()
  })
}

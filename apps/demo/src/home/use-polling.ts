import { useEffect, useState } from 'react'

const pauseMs = 500

/**
 * Asks the demo's server again and again while the page is open. An `EventSource` could not send the page's key.
 *
 * @param ask asks, and shows the answer; it must not change
 * @returns whether the last question was answered
 */
export function usePolling(ask: () => Promise<void>): boolean {
  const [isAnswered, setAnswered] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasLeft = false
    const askAgain = async () => {
      const answered = await ask().then(
        () => true,
        () => false,
      )
      if (hasLeft) return
      setAnswered(answered)
      timer = setTimeout(askAgain, pauseMs)
    }
    void askAgain()
    return () => {
      hasLeft = true
      clearTimeout(timer)
    }
  }, [ask])
  return isAnswered
}

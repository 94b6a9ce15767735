import type { QueryClient } from '@tanstack/react-query'
import { watchRequests } from '../api/request.ts'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { t } from '../texts/texts.ts'

/** Longest wait for a sign of life, in milliseconds; with the wait of a slow request less than two seconds. */
const answerMs = 900

/** Wait between two tries, in milliseconds. */
const pauseMs = 1500

/**
 * Says within two seconds that the service cannot be reached, and asks until it answers again. Then the page's data
 * are loaded anew, without a reload of the page. Call it once.
 */
export function watchService(client: QueryClient): void {
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    let isLost = false
    while (!(await isAnswering())) {
      if (!isLost)
        tell({ subject: 'service', tone: 'warning', title: t('app.offline'), text: t('app.offlineText') })
      isLost = true
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
    isAsking = false
    if (!isLost) return
    dismissNotice('service')
    tell({ subject: 'service', tone: 'success', title: t('app.online'), text: t('app.onlineText') })
    await client.invalidateQueries()
  }
  watchRequests(() => void ask())
  window.addEventListener('offline', () => void ask())
}

/** Any answer is a sign of life. */
const isAnswering = () =>
  fetch('/health/live', { cache: 'no-store', signal: AbortSignal.timeout(answerMs) }).then(
    () => true,
    () => false,
  )

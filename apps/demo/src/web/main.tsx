import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import i18next from 'i18next'
import { lazy, StrictMode, Suspense, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { queryClient, sessionQuery } from './api/queries.ts'
import { currentHost, startHost } from './bridge/host.ts'
import { hostHandlers, takeStartParameters } from './host-handlers.ts'
import { ErrorBoundary, NoSession } from './parts/frame.tsx'
import { SessionGate } from './session/session-gate.tsx'
import { type Boot, beginVisit, readBoot } from './session/visit.ts'
import { watchService } from './session/watch-service.ts'
import { startTexts } from './texts/texts.ts'

// The log-in page is light: what comes after it is loaded later.
const loadSignedInApp = () => import('./shell/signed-in-app.tsx')
const SignedInApp = lazy(loadSignedInApp)
// It is on its way while the user types the password.
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLInputElement) void loadSignedInApp()
})

/** Draws the app again when its language changes. */
const onLanguage = (listener: () => void) => {
  i18next.on('languageChanged', listener)
  return () => i18next.off('languageChanged', listener)
}

function App({ boot }: { readonly boot: Boot | undefined }) {
  useSyncExternalStore(onLanguage, () => i18next.language)
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={<NoSession />}>
          <SessionGate boot={boot}>
            {employee => <SignedInApp key={employee.accountId} employee={employee} />}
          </SessionGate>
        </Suspense>
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

// The page's Content-Security-Policy allows no compiled code.
z.config({ jitless: true })

const boot = readBoot()
if (boot) beginVisit(boot)
startHost(hostHandlers)
// Both are on their way at once.
void queryClient.prefetchQuery(sessionQuery)
await startTexts()
void currentHost()?.info.then(info => info && takeStartParameters(info.launchParameters))
watchService(queryClient)

const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <App boot={boot} />
  </StrictMode>,
)

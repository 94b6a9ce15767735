import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { queryClient, sessionQuery } from './api/queries.ts'
import { startHost } from './bridge/host.ts'
import { hostHandlers } from './host-handlers.ts'
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

function App({ boot }: { readonly boot: Boot | undefined }) {
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
watchService(queryClient)

const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <App boot={boot} />
  </StrictMode>,
)

import { startTexts, useLanguage } from '@service-link/ui/page-language'
import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { queryClient } from './api/queries.ts'
import { currentHost, startHost } from './bridge/host.ts'
import { applyStartParameters, hostHandlers } from './host-handlers.ts'
import { ErrorBoundary } from './parts/frame.tsx'
import { useToday } from './parts/today.ts'
import { tellAround } from './session/journal-frame.ts'
import { sessionQuery } from './session/log-in.ts'
import { SessionGate } from './session/session-gate.tsx'
import { beginVisit, type VisitSignIn } from './session/visit.ts'
import { watchService } from './session/watch-service.ts'
import { loadPages, SignedInApp } from './shell/shell.tsx'

// The pages are on their way while the user types the password.
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLInputElement) void loadPages()
})

function App({ signIn }: { readonly signIn: VisitSignIn | undefined }) {
  useLanguage()
  useToday()
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SessionGate signIn={signIn}>
          {employee => <SignedInApp key={employee.accountId} employee={employee} />}
        </SessionGate>
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

// The page's Content-Security-Policy allows no compiled code.
z.config({ jitless: true })

const signIn = beginVisit()
// On its way while the page is drawn for the first time.
void queryClient.prefetchQuery(sessionQuery)
startTexts()
startHost(hostHandlers)
void currentHost()?.info.then(info => info && applyStartParameters(info.launchParameters))
watchService(queryClient)

const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <App signIn={signIn} />
  </StrictMode>,
)
tellAround({ event: 'loaded' })

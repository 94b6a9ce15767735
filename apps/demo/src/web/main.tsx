import '@mantine/core/styles.css'
import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App } from './app.tsx'
import { startHost } from './bridge/host.ts'
import { beginVisit } from './session/begin-visit.ts'
import { readBoot } from './session/boot.ts'

// The page's Content-Security-Policy allows no compiled code.
z.config({ jitless: true })

const boot = readBoot()
if (boot) beginVisit(boot)
startHost()

const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <App boot={boot} />
  </StrictMode>,
)

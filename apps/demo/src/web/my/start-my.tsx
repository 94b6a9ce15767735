import '@mantine/core/styles.css'
import '../styles.css'
import './my.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { MyApp } from './my-app.tsx'

// A page that the browser kept in memory as it was, and shows again after "back", may be somebody else's by now.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload()
})

const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <MyApp />
  </StrictMode>,
)

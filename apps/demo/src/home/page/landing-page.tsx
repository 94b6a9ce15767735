import '@mantine/core/styles.css'
import '../../web/styles.css'
import { Code, Container, Title } from '@mantine/core'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Look } from '../../web/parts/look.tsx'
import type { DemoState } from '../demo-state.ts'

function LandingPage() {
  const [state, setState] = useState<DemoState>()
  useEffect(() => {
    const events = new EventSource('/events')
    events.onmessage = ({ data }) => setState(JSON.parse(data))
    return () => events.close()
  }, [])
  return (
    <Container component="main" py="xl">
      <Title order={1}>The demo</Title>
      <Code block>{JSON.stringify(state, undefined, 2)}</Code>
    </Container>
  )
}

const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <Look>
      <LandingPage />
    </Look>
  </StrictMode>,
)

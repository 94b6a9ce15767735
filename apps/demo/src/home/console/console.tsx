import '@service-link/ui/theme.css'
import './console.css'
import { Alert, Anchor, Button, Chip, Group, SegmentedControl, Switch, Text, Title } from '@mantine/core'
import type { Traffic } from '@service-link/protocol-core'
import { drawPage } from '@service-link/ui'
import { Mark } from '@service-link/ui/plain'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { readItems } from '../read-items.ts'
import { Composer } from './composer.tsx'
import { ExchangeDetail } from './exchange-detail.tsx'
import { addMessage, type Exchange, kinds } from './exchanges.ts'
import { TrafficList } from './traffic-list.tsx'
import type { WatchItem, WatchState } from './watch-traffic.ts'

const panels = ['Traffic', 'Message', 'Send']

/** The wrapper from outside: what passes it, and a form for each of its commands. */
function Console() {
  const { state, exchanges, droppedCount, isPaused, setPaused, clear } = useTraffic()
  const [shownKinds, setShownKinds] = useState<string[]>([...kinds])
  const [showsPersonal, setShowsPersonal] = useState(false)
  const [shownId, setShownId] = useState<number>()
  const [panel, setPanel] = useState('Traffic')
  const shown = exchanges.filter(({ request }) => shownKinds.includes(request.kind))
  const open = exchanges.find(({ id }) => id === shownId)
  return (
    <div className="console" data-panel={panel}>
      <Group component="header" justify="space-between" gap="xs">
        <Group gap="sm" wrap="nowrap">
          <Mark size={26} />
          <Title order={1} size="h2">
            Console
          </Title>
          <Text size="sm" c="dimmed" data-testid="state" role="status">
            {sayState(state)}
          </Text>
        </Group>
        <Group gap="lg">
          <Anchor href="/" size="sm">
            All of the demo
          </Anchor>
          <Switch
            label="Show personal data"
            checked={showsPersonal}
            onChange={event => setShowsPersonal(event.currentTarget.checked)}
          />
        </Group>
        <SegmentedControl
          hiddenFrom="sm"
          w="100%"
          fullWidth
          aria-label="Part of the console"
          value={panel}
          onChange={setPanel}
          data={panels}
        />
      </Group>
      <main className="console-main">
        <section className="card console-traffic" aria-label="Traffic">
          <Group className="console-tools" justify="space-between" gap="xs">
            <Chip.Group multiple value={shownKinds} onChange={setShownKinds}>
              <Group gap={6} role="group" aria-label="Kinds">
                {kinds.map(kind => (
                  <Chip key={kind} value={kind} size="xs">
                    {kind}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
            <Group gap={6}>
              <Button size="compact-sm" variant="default" onClick={() => setPaused(!isPaused)}>
                {isPaused ? 'Go on' : 'Pause'}
              </Button>
              <Button size="compact-sm" variant="default" onClick={clear}>
                Clear
              </Button>
            </Group>
          </Group>
          {droppedCount > 0 && (
            <Alert color="yellow" radius={0} p="xs">
              {droppedCount} messages came too fast and are missing.
            </Alert>
          )}
          <TrafficList
            exchanges={shown}
            shownId={shownId}
            empty={
              isPaused
                ? 'Paused.'
                : 'Nothing has passed the wrapper so far. Send a command, or have your program send one.'
            }
            onOpen={id => {
              setShownId(id)
              setPanel('Message')
            }}
          />
        </section>
        <section className="card console-message" aria-label="Message">
          {open ? (
            <ExchangeDetail key={open.id} exchange={open} showsPersonal={showsPersonal} />
          ) : (
            <Text c="dimmed">Choose a line of the traffic to see its bytes and its reply.</Text>
          )}
        </section>
        <section className="card console-send" aria-label="Send">
          <Title order={2} mb="sm">
            Send a command
          </Title>
          <Composer isReady={state.kind === 'watching'} showsPersonal={showsPersonal} />
        </section>
      </main>
    </div>
  )
}

function sayState(state: WatchState): string {
  return state.kind === 'watching' ? `Wrapper ${state.version}, process ${state.pid}` : state.reason
}

/** What the demo's server tells of the wrapper's traffic. Paused, new messages wait. */
function useTraffic() {
  const [state, setState] = useState<WatchState>({ kind: 'waiting', reason: 'Connecting …' })
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [droppedCount, setDroppedCount] = useState(0)
  const [isPaused, setIsPaused] = useState(false)
  const waiting = useRef<Traffic[] | undefined>(undefined)
  useEffect(() => {
    const ending = new AbortController()
    void readItems<WatchItem>('/console/api/traffic', {
      signal: ending.signal,
      onOpen: () => setExchanges([]),
      onItem(item) {
        if (item.type === 'state') return setState(item.state)
        const { message } = item
        setDroppedCount(count => count + (message.dropped ?? 0))
        if (waiting.current) waiting.current.push(message)
        else setExchanges(before => addMessage(before, message))
      },
      onLost: () => setState({ kind: 'waiting', reason: 'The demo does not answer.' }),
    })
    return () => ending.abort()
  }, [])
  return {
    state,
    exchanges,
    droppedCount,
    isPaused,
    setPaused(isWanted: boolean) {
      const missed = waiting.current ?? []
      waiting.current = isWanted ? [] : undefined
      setIsPaused(isWanted)
      setExchanges(before => missed.reduce(addMessage, before))
    },
    clear() {
      setExchanges([])
      setDroppedCount(0)
    },
  }
}

drawPage(
  <QueryClientProvider client={new QueryClient()}>
    <Console />
  </QueryClientProvider>,
)

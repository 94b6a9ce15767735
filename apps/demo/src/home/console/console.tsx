import './console.css'
import { Anchor, Box, Button, Chip, Divider, Group, Paper, Text, Title } from '@mantine/core'
import { drawPage } from '@service-link/ui'
import { Mark } from '@service-link/ui/plain'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { parseResponse } from 'hono/client'
import { useCallback, useRef, useState } from 'react'
import { usePolling } from '../use-polling.ts'
import { api, Composer } from './composer.tsx'
import { ExchangeList } from './exchange-list.tsx'
import { type Exchange, kinds } from './read-log.ts'

/** The wrapper from outside: what passes it, by its own debug log, and a form for each of its commands. */
function Console() {
  const { wrapper, exchanges, clear } = useLog()
  const [shownKinds, setShownKinds] = useState<string[]>([...kinds])
  return (
    <Box px="md" py="sm">
      <Group component="header" justify="space-between" gap="xs">
        <Group gap="sm" wrap="nowrap">
          <Mark size={26} />
          <Title order={1} size="h2">
            Console
          </Title>
          <Text size="sm" c="dimmed" data-testid="state" role="status">
            {wrapper ? `Wrapper ${wrapper.version}, process ${wrapper.pid}` : 'No wrapper runs.'}
          </Text>
        </Group>
        <Anchor href="/" size="sm">
          All of the demo
        </Anchor>
      </Group>
      <main className="console-main">
        <Paper component="section" aria-label="Exchanges">
          <Group
            justify="space-between"
            gap="xs"
            px="sm"
            py="xs"
            pos="sticky"
            top={0}
            bg="body"
            style={{ zIndex: 1 }}
          >
            <Chip.Group multiple value={shownKinds} onChange={setShownKinds}>
              <Group gap={6} role="group" aria-label="Kinds">
                {kinds.map(kind => (
                  <Chip key={kind} value={kind} size="xs">
                    {kind}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
            <Button size="compact-sm" variant="default" onClick={clear}>
              Clear
            </Button>
          </Group>
          <Divider />
          <ExchangeList
            exchanges={exchanges.filter(({ kind }) => shownKinds.includes(kind))}
            empty="Nothing has passed the wrapper so far. Send a command, or have your program send one. The log needs the level debug."
          />
        </Paper>
        <Paper component="section" p="md" aria-label="Send">
          <Title order={2} mb="sm">
            Send a command
          </Title>
          <Composer isReady={wrapper !== null} />
        </Paper>
      </main>
    </Box>
  )
}

const mostShown = 500

/** The wrapper that runs, and what its log has of exchanges, newest first. */
function useLog() {
  const [wrapper, setWrapper] = useState<{ readonly pid: number; readonly version: string } | null>(null)
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const position = useRef(0)
  const ask = useCallback(async () => {
    const from = String(position.current)
    const answer = await parseResponse(api.exchanges[':from'].$get({ param: { from } }))
    position.current = answer.end
    setWrapper(answer.wrapper)
    if (answer.exchanges.length > 0)
      setExchanges(before => [...answer.exchanges.toReversed(), ...before].slice(0, mostShown))
  }, [])
  const isAnswered = usePolling(ask)
  return { wrapper: isAnswered ? wrapper : null, exchanges, clear: () => setExchanges([]) }
}

drawPage(
  <QueryClientProvider client={new QueryClient()}>
    <Console />
  </QueryClientProvider>,
)

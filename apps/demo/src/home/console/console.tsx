import './console.css'
import { Anchor, Box, Button, Group, Paper, Text, TextInput, Title } from '@mantine/core'
import { drawPage } from '@service-link/ui'
import { Mark } from '@service-link/ui/plain'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { parseResponse } from 'hono/client'
import { useCallback, useRef, useState } from 'react'
import { usePolling } from '../use-polling.ts'
import { api, Composer } from './composer.tsx'
import { ExchangeList } from './exchange-list.tsx'
import { groupExchanges, matches } from './group-exchanges.ts'
import type { Exchange } from './read-log.ts'
import { t } from './texts.ts'

/** The wrapper from outside: what passes it, by its own debug log, and a form for each of its commands. */
function Console() {
  const { wrapper, exchanges, state, clear } = useLog()
  const [search, setSearch] = useState('')
  const branches = groupExchanges(exchanges).filter(branch => matches(branch, search))
  return (
    <Box px="md" py="sm">
      <Group component="header" justify="space-between" gap="xs">
        <Group gap="sm" wrap="nowrap">
          <Mark size={26} />
          <Title order={1} size="h2">
            {t('title')}
          </Title>
          <Text size="xs" c="dimmed" data-testid="state" role="status">
            {state}
          </Text>
        </Group>
        <Anchor href="/" size="sm">
          {t('home')}
        </Anchor>
      </Group>
      <main className="console-main">
        <Paper component="section" p="md" aria-label={t('send.title')}>
          <Composer isReady={Boolean(wrapper)} />
        </Paper>
        <Paper component="section" aria-label={t('exchanges')}>
          <Group className="console-sticky" gap="xs" px="sm" py="xs" wrap="nowrap">
            <TextInput
              flex={1}
              size="xs"
              type="search"
              aria-label={t('search')}
              placeholder={t('searchAbout')}
              value={search}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            />
            <Button size="xs" variant="default" onClick={clear}>
              {t('clear')}
            </Button>
          </Group>
          {branches.length > 0 ? (
            <ExchangeList branches={branches} />
          ) : (
            <Text c="dimmed" ta="center" p="xl" data-testid="exchanges-empty">
              {t(exchanges.length > 0 ? 'notFound' : 'empty')}
            </Text>
          )}
        </Paper>
      </main>
    </Box>
  )
}

const mostShown = 500

/** The wrapper that runs, and what its log has of exchanges. */
function useLog() {
  const [wrapper, setWrapper] = useState<{ readonly pid: number; readonly version: string } | null>()
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const position = useRef(0)
  const ask = useCallback(async () => {
    const from = String(position.current)
    const answer = await parseResponse(api.exchanges[':from'].$get({ param: { from } }))
    position.current = answer.end
    setWrapper(answer.wrapper)
    if (answer.exchanges.length > 0)
      setExchanges(before => [...before, ...answer.exchanges].slice(-mostShown))
  }, [])
  const isAnswered = usePolling(ask)
  const state = !isAnswered ? t('send.silent') : wrapper ? t('wrapper', wrapper) : t('noWrapper')
  return {
    wrapper: isAnswered ? wrapper : undefined,
    exchanges,
    /** Empty until the first answer. */
    state: isAnswered && wrapper === undefined ? '' : state,
    clear: () => setExchanges([]),
  }
}

drawPage(
  <QueryClientProvider client={new QueryClient()}>
    <Console />
  </QueryClientProvider>,
)

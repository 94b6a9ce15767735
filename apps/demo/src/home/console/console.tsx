import './console.css'
import { Anchor, Box, Button, Group, Paper, Text, TextInput, Title } from '@mantine/core'
import { drawPage } from '@service-link/ui'
import { Mark } from '@service-link/ui/plain'
import { QueryClientProvider, queryOptions, useQuery } from '@tanstack/react-query'
import { type InferResponseType, parseResponse } from 'hono/client'
import { useState } from 'react'
import { pollingClient } from '../polling-client.ts'
import { api, Composer } from './composer.tsx'
import { ExchangeList } from './exchange-list.tsx'
import { groupExchanges, matches } from './group-exchanges.ts'
import { t } from './texts.ts'

/** The wrapper from outside: what passes it, by its own debug log, and a form for each of its commands. */
function Console() {
  const { wrapper, exchanges, state, clear } = useLog()
  const [search, setSearch] = useState('')
  const branches = groupExchanges(exchanges).filter(branch => matches(branch, search))
  return (
    <Box px="md" py="sm">
      <Group component="header" gap="sm">
        <Group gap="sm" wrap="nowrap">
          <Mark size={26} />
          <Title order={1} size="h2">
            {t('title')}
          </Title>
        </Group>
        <Text size="xs" c="dimmed" className="console-state" data-testid="state" role="status">
          {state}
        </Text>
        <Anchor href="/" size="sm" py={2} ms="auto">
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
          {exchanges.length >= mostShown && (
            <Text size="sm" c="dimmed" ta="center" p="sm">
              {t('older', { count: mostShown })}
            </Text>
          )}
        </Paper>
      </main>
    </Box>
  )
}

/** As the server's answer has. */
const mostShown = 400

type Log = InferResponseType<(typeof api.exchanges)[':from']['$get']>

/** The wrapper that runs, and what its log has of exchanges. */
const logQuery = queryOptions({
  queryKey: ['log'],
  queryFn: async ({ client, queryKey }) => {
    const kept = () => client.getQueryData<Log>(queryKey)
    const from = String(kept()?.end ?? 0)
    const { exchanges, ...answer } = await parseResponse(api.exchanges[':from'].$get({ param: { from } }))
    // Read again: the user may have cleared the list meanwhile.
    return { ...answer, exchanges: [...(kept()?.exchanges ?? []), ...exchanges].slice(-mostShown) }
  },
})

function useLog() {
  const { data, dataUpdatedAt, errorUpdatedAt } = useQuery(logQuery)
  const isAnswered = dataUpdatedAt >= errorUpdatedAt
  const wrapper = data?.wrapper
  const state = !isAnswered ? t('send.silent') : wrapper ? t('wrapper', wrapper) : t('noWrapper')
  return {
    wrapper: isAnswered ? wrapper : undefined,
    exchanges: data?.exchanges ?? [],
    /** Empty until the first answer. */
    state: isAnswered && wrapper === undefined ? '' : state,
    clear: () => pollingClient.setQueryData(logQuery.queryKey, log => log && { ...log, exchanges: [] }),
  }
}

drawPage(
  <QueryClientProvider client={pollingClient}>
    <Console />
  </QueryClientProvider>,
)

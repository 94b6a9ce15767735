import { Alert, Anchor, Box, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ApiFailure } from '../api/request.ts'
import { errorText, t } from '../texts/texts.ts'
import type { Noun } from './pages.tsx'

interface DetailPaneProps<Item> {
  /** Address of the list, for narrow windows. */
  readonly listHref: string
  readonly noun: Noun
  readonly query: { readonly data: Item | undefined; readonly error: Error | null }
  readonly children: (record: Item) => ReactNode
}

/** The right half: one record, or the reason why there is none. */
export function DetailPane<Item>({ listHref, noun, query, children }: DetailPaneProps<Item>) {
  // A later load that fails takes nothing away from a user who types.
  const isGone = query.error && (query.data === undefined || isMissing(query.error))
  return (
    <Paper component="section" className="pane-detail" p="lg" mih={320} aria-label={t('lists.details')}>
      <Link href={listHref} state={history.state} asChild>
        <Anchor size="sm" mb="sm" className="one-pane-only screen-only">
          {t(`${noun}s.back`)}
        </Anchor>
      </Link>
      {query.error && (
        <Alert color="red" title={t('lists.cannotShow')} mb="md">
          {errorText(query.error, noun)}
        </Alert>
      )}
      {isGone ? null : query.data === undefined ? (
        <Stack aria-label={t('app.loading')} role="progressbar">
          <Skeleton height={32} width="60%" />
          <Skeleton height={120} />
        </Stack>
      ) : (
        children(query.data)
      )}
    </Paper>
  )
}

const isMissing = (error: Error) => error instanceof ApiFailure && error.status === 404

interface DetailHeadProps {
  readonly name: string
  readonly facts?: ReactNode
  /** Buttons or badges beside the name. */
  readonly children: ReactNode
}

/** Name and buttons of a record. */
export function DetailHead({ name, facts, children }: DetailHeadProps) {
  return (
    <Group justify="space-between" align="flex-start" style={{ overflowWrap: 'anywhere' }}>
      <Box flex="1 1 15em" miw={0}>
        <Title order={2}>{name}</Title>
        {facts && (
          <Text size="sm" c="dimmed" className="sentence">
            {facts}
          </Text>
        )}
      </Box>
      {children}
    </Group>
  )
}

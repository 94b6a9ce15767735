import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** One row of a list. */
export interface Result {
  readonly key: number
  readonly href: string
  /** Kept with the address in the browser's history. */
  readonly state?: unknown
  readonly isCurrent: boolean
  readonly content: ReactNode
}

/** What {@link ResultList} shows. */
export interface ResultListProps {
  readonly testId: string
  readonly itemTestId: string
  /** `undefined` while they load. */
  readonly results: readonly Result[] | undefined
  readonly error: Error | null
  readonly emptyText: string
}

/** Results as links, one below the other. */
export function ResultList({ testId, itemTestId, results, error, emptyText }: ResultListProps) {
  if (error)
    return (
      <Alert m="md" color="red" title="The list cannot be shown">
        {error.message}
      </Alert>
    )
  if (!results)
    return (
      <Stack p="md" gap="sm" aria-label="Loading" role="progressbar">
        {[0, 1, 2, 3, 4].map(line => (
          <Skeleton key={line} height={38} />
        ))}
      </Stack>
    )
  if (results.length === 0)
    return (
      <Text p="md" c="#5a6a69" size="sm" data-testid={testId}>
        {emptyText}
      </Text>
    )
  return (
    <ul className="result-list" data-testid={testId}>
      {results.map(({ key, href, state, isCurrent, content }) => (
        <li key={key} data-testid={itemTestId} data-id={key}>
          <Link className="result" href={href} state={state} aria-current={isCurrent ? 'true' : undefined}>
            {content}
          </Link>
        </li>
      ))}
    </ul>
  )
}

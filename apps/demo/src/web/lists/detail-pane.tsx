import { Alert, Anchor, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** What {@link DetailPane} shows. */
export interface DetailPaneProps {
  /** Where the list is, for narrow windows. */
  readonly listHref: string
  readonly listName: string
  readonly isLoading: boolean
  readonly error: Error | null
  readonly children: ReactNode
}

/** The right half: one record, or why there is none. */
export function DetailPane({ listHref, listName, isLoading, error, children }: DetailPaneProps) {
  return (
    <section className="card" style={{ padding: 24, minHeight: 320 }} aria-label="Details">
      <Anchor component={Link} href={listHref} size="sm" className="back-link">
        Back to {listName}
      </Anchor>
      {error ? (
        <Alert color="red" title="This cannot be shown">
          {error.message}
        </Alert>
      ) : isLoading ? (
        <Stack aria-label="Loading" role="progressbar">
          <Skeleton height={32} width="60%" />
          <Skeleton height={120} />
        </Stack>
      ) : (
        children
      )}
    </section>
  )
}

/** The right half when nothing is chosen. */
export function EmptyDetail({ text }: { readonly text: string }) {
  return (
    <section
      className="card"
      aria-label="Details"
      style={{ minHeight: 320, display: 'grid', placeItems: 'center', background: '#fbfcfc' }}
    >
      <Text c="#5a6a69" size="sm" p="xl" ta="center">
        {text}
      </Text>
    </section>
  )
}

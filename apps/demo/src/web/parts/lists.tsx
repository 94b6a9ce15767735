import { Alert, Anchor, CloseButton, Skeleton, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { SearchIcon } from './icons.tsx'

interface SearchPaneProps {
  /** Heading of the page. */
  readonly title: string
  /** Label of the search box. */
  readonly label: string
  readonly placeholder: string
  readonly testId: string
  /** What is searched for, as the address has it. */
  readonly text: string
  readonly onSearch: (text: string) => void
  /** What a screen reader is told of the results, such as `12 exercises`. */
  readonly summary: string
  /** The list of results. */
  readonly children: ReactNode
}

/** A search box over its results. */
export function SearchPane(props: SearchPaneProps) {
  const { title, label, placeholder, testId, text, onSearch, summary, children } = props
  const [draft, setDraft] = useDraft(text, onSearch)
  return (
    <section className="card pane-list" aria-label={title}>
      <form
        onSubmit={event => {
          event.preventDefault()
          onSearch(draft)
        }}
        style={{ padding: 16, borderBottom: '1px solid #e0e7e6' }}
      >
        <h1 tabIndex={-1} style={{ margin: '0 0 12px', fontSize: '1.25rem', fontWeight: 650 }}>
          {title}
        </h1>
        <TextInput
          type="search"
          aria-label={label}
          placeholder={placeholder}
          data-testid={testId}
          value={draft}
          onChange={event => setDraft(event.currentTarget.value)}
          leftSection={<SearchIcon />}
          rightSection={
            draft && <CloseButton aria-label="Clear the search" onClick={() => setDraft('')} size="sm" />
          }
        />
        <Text size="xs" c="#5a6a69" mt={8} role="status">
          {summary}
        </Text>
      </form>
      <VisuallyHidden>
        <h2>Results</h2>
      </VisuallyHidden>
      <div className="pane-scroll">{children}</div>
    </section>
  )
}

/**
 * What stands in the search box. It runs ahead of the address while the user types, and follows it when the address
 * changes for another reason.
 */
function useDraft(text: string, onSearch: (text: string) => void) {
  const [draft, setDraft] = useState(text)
  const sent = useRef(text)
  const send = useDebouncedCallback((next: string) => {
    sent.current = next
    onSearch(next)
  }, 200)
  useEffect(() => {
    if (text !== sent.current) {
      send.cancel()
      setDraft(text)
    }
    sent.current = text
  }, [text, send.cancel])
  const change = (next: string) => {
    setDraft(next)
    send(next)
  }
  return [draft, change] as const
}

/** One row of a list. */
interface Result {
  readonly key: number
  readonly href: string
  /** Kept with the address in the browser's history. */
  readonly state?: unknown
  readonly isCurrent: boolean
  readonly content: ReactNode
}

interface ResultListProps {
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

interface DetailPaneProps {
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

/**
 * Address of a list with what is searched for in it, and of the record that is open beside it.
 *
 * @param list such as `/exercises`
 */
export function addressOf(list: string, id: number | undefined, text: string): string {
  const path = id === undefined ? list : `${list}/${id}`
  return text === '' ? path : `${path}?${new URLSearchParams({ text })}`
}

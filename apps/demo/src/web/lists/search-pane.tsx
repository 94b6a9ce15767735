import { CloseButton, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SearchIcon } from '../shell/icons.tsx'

/** What {@link SearchPane} shows. */
export interface SearchPaneProps {
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

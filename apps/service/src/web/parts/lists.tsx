import {
  Alert,
  Box,
  Center,
  CloseButton,
  Divider,
  Group,
  NavLink,
  Paper,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { Fragment, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { errorText, t } from '../texts/texts.ts'
import { moveKeyboard } from './keyboard.ts'
import { type Listed, type Noun, Pages, rangeText } from './pages.tsx'

interface SearchPageProps<Item> {
  readonly noun: Noun
  readonly text: string
  readonly onSearch: (text: string) => void
  /** Items that match the text; `undefined` while they load. */
  readonly query: { readonly data: Listed<Item> | undefined; readonly error: Error | null }
  /** How many items are on the pages before. */
  readonly offset: number
  readonly onOffset: (offset: number) => void
  /** What an empty list says, if not the usual. */
  readonly emptyText?: string
  readonly rowOf: (item: Item) => Row
  /** Rows in front of the list, under a heading. */
  readonly first?: { readonly title: string; readonly rows: readonly Row[] } | undefined
  /** Row of the open record. The list begins with it if it has it on another page. */
  readonly openRow: Row | undefined
  readonly id: number | undefined
  readonly detailOf: (id: number) => ReactNode
}

/** One row of a list. The browser's history keeps `state` with its address. */
export interface Row {
  readonly id: number
  readonly href: string
  readonly state?: unknown
  readonly name: string
  readonly picture?: ReactNode
  readonly facts: ReactNode
  readonly badge?: ReactNode
}

/** A search box with its results on the left, and the open result on the right. */
export function SearchPage<Item>(props: SearchPageProps<Item>) {
  const { noun, text, onSearch, query, offset, onOffset, id, detailOf } = props
  const [draft, setDraft] = useDraft(text, onSearch)
  const title = t(`${noun}s.title`)
  const page = useRef<HTMLDivElement>(null)
  useListKeys(page)
  const onChoose = useFocusOfChoice(page, id)
  return (
    <div className="panes">
      <div className="two-pane" ref={page} data-is-open={id !== undefined}>
        {id !== undefined && (
          <VisuallyHidden component="h1" className="one-pane-only">
            {title}
          </VisuallyHidden>
        )}
        <Paper component="section" className="pane-list" aria-label={title}>
          <Box
            component="form"
            onSubmit={event => {
              event.preventDefault()
              onSearch(draft)
            }}
            className="pane-search"
            p="md"
          >
            <Title order={1} size="h2" mb="sm">
              {title}
            </Title>
            <TextInput
              type="search"
              aria-label={t(`${noun}s.search`)}
              placeholder={t(`${noun}s.placeholder`)}
              aria-keyshortcuts="/"
              title={t('lists.keys')}
              data-testid={`${noun}-search`}
              value={draft}
              onChange={event => setDraft(event.currentTarget.value)}
              leftSection={<MagnifyingGlassIcon />}
              rightSection={
                draft && <CloseButton aria-label={t('lists.clear')} onClick={() => setDraft('')} size="sm" />
              }
            />
            <Text
              size="xs"
              c="dimmed"
              mt={8}
              role="status"
              // Beside an open record, only a search or another page of the list is news.
              aria-live={id === undefined || text || offset > 0 ? 'polite' : 'off'}
            >
              {query.data ? rangeText(noun, query.data, offset) : t('lists.searching')}
            </Text>
          </Box>
          <Divider />
          <VisuallyHidden component="h2">{t('lists.results')}</VisuallyHidden>
          <Box className="pane-scroll" key={offset}>
            <ResultList {...props} onChoose={onChoose} />
          </Box>
          {query.data && <Pages list={query.data} offset={offset} onOffset={onOffset} />}
        </Paper>
        {id === undefined ? (
          <Paper component="section" aria-label={t('lists.details')}>
            <Center mih={320} p="xl">
              <Text size="sm" c="dimmed" ta="center">
                {t(`${noun}s.choose`)}
              </Text>
            </Center>
          </Paper>
        ) : (
          <Fragment key={id}>{detailOf(id)}</Fragment>
        )}
      </div>
    </div>
  )
}

interface ResultListProps<Item> extends SearchPageProps<Item> {
  readonly onChoose: (id: number) => void
}

function ResultList<Item>(props: ResultListProps<Item>) {
  const { noun, query, emptyText = t(`${noun}s.none`), rowOf, first, openRow, id: shownId } = props
  const list = useRef<HTMLDivElement>(null)
  const isShown = query.data !== undefined
  useEffect(() => {
    if (isShown) list.current?.querySelector(`[data-id="${shownId}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [shownId, isShown])
  if (query.error)
    return (
      <Alert m="md" color="red" title={t('lists.cannotShowList')}>
        {errorText(query.error)}
      </Alert>
    )
  if (!query.data)
    return (
      <Stack p="md" gap="sm" aria-label={t('app.loading')} role="progressbar">
        {[0, 1, 2, 3, 4].map(line => (
          <Skeleton key={line} height={38} />
        ))}
      </Stack>
    )
  if (query.data.items.length === 0)
    return (
      <Text p="md" c="dimmed" size="sm" data-testid={`${noun}-results`}>
        {emptyText}
      </Text>
    )
  const rows = query.data.items.map(rowOf)
  const hasFirst = first !== undefined && first.rows.length > 0
  const isFirst = first?.rows.some(({ id }) => id === shownId) ?? false
  const isElsewhere = openRow && !isFirst && !rows.some(({ id }) => id === shownId)
  return (
    <div ref={list}>
      {isElsewhere && <Rows {...props} rows={[openRow]} title={t('lists.open')} testId={`open-${noun}`} />}
      {hasFirst && <Rows {...props} {...first} testId={`first-${noun}`} />}
      <Rows
        {...props}
        rows={rows}
        // One row is the current one.
        id={isFirst ? undefined : shownId}
        title={(hasFirst || isElsewhere) && t(`${noun}s.all`)}
        testId={`${noun}-result`}
      />
    </div>
  )
}

interface RowsProps {
  readonly rows: readonly Row[]
  readonly title: string | false | undefined
  /** Of a row; its list has it with an s. */
  readonly testId: string
  readonly id: number | undefined
  readonly onChoose: (id: number) => void
}

function Rows({ rows, title, testId, id: shownId, onChoose }: RowsProps) {
  return (
    <>
      {title && (
        <Text component="h3" size="xs" c="dimmed" px="md" pt="sm" pb={4}>
          {title}
        </Text>
      )}
      <ul className="plain-list" data-testid={`${testId}s`}>
        {rows.map(({ id, href, state, name, picture, facts, badge }, index) => (
          <li key={id} data-testid={testId} data-id={id}>
            {index > 0 && <Divider />}
            <Link href={href} state={state} onClick={() => onChoose(id)} asChild>
              <NavLink
                px="md"
                active={id === shownId}
                // Forced colors drop backgrounds.
                style={{ borderInlineStart: id === shownId ? '3px solid var(--focus-ring)' : undefined }}
                aria-current={id === shownId ? 'true' : undefined}
                leftSection={picture}
                label={
                  <Group component="span" justify="space-between" gap="0 8px">
                    <b>{name}</b>
                    {badge}
                  </Group>
                }
                description={facts}
              />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** `/` goes to the search box, unless the user writes. Arrow keys go from the search box into the list, and through it. */
function useListKeys(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, altKey, metaKey, target } = event
      if (!page.current || !(target instanceof Element) || ctrlKey || altKey || metaKey) return
      const stops = Array.from(
        page.current.querySelectorAll<HTMLElement>('input[type="search"], [data-id] a'),
      )
      const here = stops.indexOf(target as HTMLElement)
      const isWriting = target.closest('input, textarea, select, dialog') !== null
      const step = here < 0 ? undefined : { ArrowDown: 1, ArrowUp: -1 }[key]
      const next = key === '/' && !isWriting ? stops[0] : step && stops[here + step]
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [page])
}

/**
 * Moves the focus with the user: into the detail after choosing a row, and back to that row when the detail closes with the focus.
 * Returns the handler of clicks in the list.
 */
function useFocusOfChoice(page: RefObject<HTMLElement | null>, id: number | undefined) {
  const isChosen = useRef(false)
  const formerId = useRef(id)
  useEffect(() => {
    const former = formerId.current
    formerId.current = id
    if (id === undefined && former !== undefined && document.activeElement === document.body)
      page.current?.querySelector<HTMLElement>(`[data-id="${former}"] a`)?.focus()
    if (id === undefined || !isChosen.current) return
    isChosen.current = false
    return moveKeyboard('.pane-detail h2')
  }, [page, id])
  return (chosenId: number) => {
    isChosen.current = chosenId !== id
  }
}

/** The text in the search box. It is ahead of the search while the user types, and follows other changes of it. */
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

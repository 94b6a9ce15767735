import { Button, type ButtonProps, Divider, Group } from '@mantine/core'
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { maxCounted as maxOfService } from '../../server/http/api.ts'
import { pageSize } from '../api/queries.ts'
import { keepSearch, searchOf } from '../state/searches.ts'
import { t } from '../texts/texts.ts'

/** A page of a list. */
export interface Listed<Item> {
  /** How many records the whole list has; above `maxCounted`, at least one more than on the pages so far. */
  readonly total: number
  readonly items: readonly Item[]
}

/** Up to this number the service counts a list. */
const maxCounted: typeof maxOfService = 1000

/** What a list has; its texts begin with it. */
export type Noun = 'person' | 'exercise' | 'workout'

/** Says how many records there are, and which of them are shown: `51–100 of 1,234 patients`. */
export function rangeText(noun: Noun, { total, items }: Listed<unknown>, offset: number): string {
  const whole =
    total > maxCounted
      ? t('lists.more', { whole: t(`${noun}s.count`, { count: maxCounted }) })
      : t(`${noun}s.count`, { count: total })
  if (items.length === total) return whole
  return t('lists.range', { from: offset + 1, to: offset + items.length, whole })
}

interface PagesProps {
  readonly list: Listed<unknown>
  readonly offset: number
  readonly onOffset: (offset: number) => void
}

/** Buttons to the pages before and after this one; nothing for a list of one page. */
export function Pages({ list, offset, onOffset }: PagesProps) {
  const { total, items } = list
  if (offset === 0 && items.length === total) return null
  // The focus stays on a button that has led to the first or last page.
  const button = (to: number, isThere: boolean, label: string, icon: ButtonProps) => (
    <Button
      variant="default"
      size="compact-sm"
      aria-disabled={!isThere}
      {...(isThere ? {} : { 'data-disabled': true })}
      {...icon}
      onClick={() => isThere && onOffset(Math.max(0, to))}
    >
      {label}
    </Button>
  )
  return (
    <>
      <Divider />
      <Group component="nav" aria-label={t('lists.pages')} justify="space-between" gap="xs" px="md" py="xs">
        {button(offset - pageSize, offset > 0, t('lists.previous'), { leftSection: <ChevronLeftIcon /> })}
        {button(offset + pageSize, offset + items.length < total, t('lists.next'), {
          rightSection: <ChevronRightIcon />,
        })}
      </Group>
    </>
  )
}

/** A list whose open record is in the address. Its search and page belong to the entry of the history. */
export function useSearchedList(list: '/persons' | '/exercises' | '/workouts') {
  const [path, navigate] = useLocation()
  const state = useHistoryState<unknown>()
  const { text, offset } = searchOf(state)
  return {
    text,
    offset,
    onSearch: (next: string) => navigate(path, { replace: true, state: keepSearch(next) }),
    onOffset: (next: number) => navigate(path, { state: keepSearch(text, next) }),
    /** Address and state of one of its records. */
    linkTo: (shownId: number) => ({ id: shownId, href: `${list}/${shownId}`, state }),
  }
}

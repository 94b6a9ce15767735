import { Button, type ButtonProps, Group } from '@mantine/core'
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import { useLocation, useSearchParams } from 'wouter'
import type { maxCounted as maxOfService } from '../../service/http/api.ts'
import { pageSize } from '../api/queries.ts'
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
    <Group component="nav" className="pages" aria-label={t('lists.pages')} justify="space-between" gap="xs">
      {button(offset - pageSize, offset > 0, t('lists.previous'), { leftSection: <ChevronLeftIcon /> })}
      {button(offset + pageSize, offset + items.length < total, t('lists.next'), {
        rightSection: <ChevronRightIcon />,
      })}
    </Group>
  )
}

/** A list whose search text, page and open record are in the address. */
export function useAddressedList(list: '/exercises' | '/workouts', id: number | undefined) {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const text = params.get('text') ?? ''
  const from = Number(params.get('offset'))
  const offset = Number.isSafeInteger(from) && from > 0 ? from : 0
  const addressOf = (openId: number | undefined, search: string, start: number) => {
    const query = new URLSearchParams(search === '' ? {} : { text: search })
    if (start > 0) query.set('offset', String(start))
    return `${openId === undefined ? list : `${list}/${openId}`}${query.size === 0 ? '' : `?${query}`}`
  }
  return {
    text,
    offset,
    onSearch: (next: string) => navigate(addressOf(id, next, 0), { replace: true }),
    onOffset: (next: number) => navigate(addressOf(id, text, next)),
    listHref: addressOf(undefined, text, offset),
    hrefOf: (openId: number) => addressOf(openId, text, offset),
  }
}

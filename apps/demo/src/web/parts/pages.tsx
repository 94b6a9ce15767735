import { Button, Group } from '@mantine/core'
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import { t } from 'i18next'
import { pageSize } from '../api/queries.ts'

/** How many records are on the pages before, by the page's address. */
export function offsetIn(params: URLSearchParams): number {
  const offset = Number(params.get('offset'))
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0
}

/** A page of a list, and how many records the whole list has. */
export interface Listed<Item> {
  readonly total: number
  readonly items: readonly Item[]
}

type Noun = 'person' | 'exercise' | 'workout'

/** Says how many records there are, and which of them are shown: `51–100 of 1,234 patients`. */
export function rangeText(noun: Noun, { total, items }: Listed<unknown>, offset: number): string {
  const whole = t(`${noun}s.count`, { count: total })
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
  const buttons = [
    {
      to: offset - pageSize,
      isThere: offset > 0,
      label: t('lists.previous'),
      leftSection: <ChevronLeftIcon />,
    },
    {
      to: offset + pageSize,
      isThere: offset + items.length < total,
      label: t('lists.next'),
      rightSection: <ChevronRightIcon />,
    },
  ]
  return (
    <Group component="nav" className="pages" aria-label={t('lists.pages')} justify="space-between" gap="xs">
      {buttons.map(({ to, isThere, label, ...icon }) => (
        // The focus stays on a button that has led to the first or last page.
        <Button
          key={label}
          variant="default"
          size="compact-sm"
          aria-disabled={!isThere}
          {...(isThere ? {} : { 'data-disabled': true })}
          {...icon}
          onClick={() => isThere && onOffset(Math.max(0, to))}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}

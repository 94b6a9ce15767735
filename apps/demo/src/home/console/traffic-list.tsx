import { Text } from '@mantine/core'
import { ArrowLeftIcon, ArrowRightIcon } from '@radix-ui/react-icons'
import type { KeyboardEvent } from 'react'
import { type Exchange, formatBytes, formatDuration, nameOf } from './exchanges.ts'

interface TrafficListProps {
  readonly exchanges: readonly Exchange[]
  readonly shownId: number | undefined
  readonly empty: string
  readonly onOpen: (id: number) => void
}

/** One row an exchange, newest first. Arrow keys go from row to row. */
export function TrafficList({ exchanges, shownId, empty, onOpen }: TrafficListProps) {
  if (exchanges.length === 0)
    return (
      <Text c="dimmed" ta="center" p="xl" data-testid="traffic-empty">
        {empty}
      </Text>
    )
  return (
    <ol className="plain-list result-list" data-testid="traffic" onKeyDown={moveFocus}>
      {exchanges.map(({ id, request, reply }) => (
        <li key={id}>
          <button
            type="button"
            className="result console-row"
            aria-current={id === shownId}
            data-kind={request.kind}
            onClick={() => onOpen(id)}
          >
            <span className="console-dim">{new Date(request.time).toISOString().slice(11, 23)}</span>
            {request.direction === 'in' ? (
              <ArrowRightIcon role="img" aria-label="into the wrapper" />
            ) : (
              <ArrowLeftIcon role="img" aria-label="out of the wrapper" />
            )}
            <span className="console-dim">{request.kind}</span>
            <span className="console-name">
              <b>{nameOf(request)}</b> {request.mode && `${request.mode} ${request.connection}`}
              {reply && reply.outcome !== 'ok' && (
                <Text span display="block" size="xs" c="var(--text-danger)">
                  {reply.outcome}
                </Text>
              )}
            </span>
            <span className="console-dim">
              {formatBytes(request.bytes)}
              {reply && reply.bytes > 0 && ` / ${formatBytes(reply.bytes)}`}
            </span>
            <Text span size="xs" ta="right">
              {reply && formatDuration(reply.durationMs ?? 0)}
            </Text>
          </button>
        </li>
      ))}
    </ol>
  )
}

function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key]
  const row = (event.target as Element).closest('li')
  if (!step || !row) return
  event.preventDefault()
  const next = step === 'nextElementSibling' ? row.nextElementSibling : row.previousElementSibling
  next?.querySelector('button')?.focus()
}

import { Text } from '@mantine/core'
import { ArrowLeftIcon, ArrowRightIcon } from '@radix-ui/react-icons'
import type { Traffic } from '@service-link/protocol-core'
import type { KeyboardEvent } from 'react'
import { type Exchange, formatBytes, formatDuration, nameOf } from './exchanges.ts'

interface TrafficListProps {
  readonly exchanges: readonly Exchange[]
  readonly openId: number | undefined
  readonly empty: string
  readonly onOpen: (id: number) => void
}

/** One row an exchange, newest first. Arrow keys go from row to row. */
export function TrafficList({ exchanges, openId, empty, onOpen }: TrafficListProps) {
  if (exchanges.length === 0)
    return (
      <Text c="dimmed" ta="center" p="xl" data-testid="traffic-empty">
        {empty}
      </Text>
    )
  return (
    <ol className="console-rows" data-testid="traffic" onKeyDown={moveFocus}>
      {exchanges.map(({ id, request, reply }) => (
        <li key={id}>
          <button
            type="button"
            className="console-row"
            aria-current={id === openId}
            data-kind={request.kind}
            onClick={() => onOpen(id)}
          >
            <span className="console-time">{new Date(request.time).toISOString().slice(11, 23)}</span>
            <span
              className="console-way"
              title={request.direction === 'in' ? 'into the wrapper' : 'out of it'}
            >
              {request.direction === 'in' ? <ArrowRightIcon /> : <ArrowLeftIcon />}
              <span className="console-unseen">{request.direction}</span>
            </span>
            <span className="console-kind">{request.kind}</span>
            <span className="console-name">
              {nameOf(request)}
              {request.mode && (
                <span className="console-mode">
                  {request.mode} {request.connection}
                </span>
              )}
              {hasFailed(reply) && <span className="console-code-name">{reply.outcome}</span>}
            </span>
            <span className="console-bytes">
              {formatBytes(request.bytes)}
              {reply && reply.bytes > 0 && ` / ${formatBytes(reply.bytes)}`}
            </span>
            <span className="console-duration">{reply && formatDuration(reply.durationMs ?? 0)}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

function hasFailed(reply: Traffic | undefined): reply is Traffic {
  return reply !== undefined && reply.outcome !== 'ok'
}

function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key]
  const row = (event.target as Element).closest('li')
  if (!step || !row) return
  event.preventDefault()
  const next = step === 'nextElementSibling' ? row.nextElementSibling : row.previousElementSibling
  next?.querySelector('button')?.focus()
}

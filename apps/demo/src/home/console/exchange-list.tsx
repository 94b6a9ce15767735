import { Text } from '@mantine/core'
import { ArrowLeftIcon, ArrowRightIcon } from '@radix-ui/react-icons'
import type { Exchange } from './read-log.ts'

/** One row an exchange, newest first. */
export function ExchangeList({
  exchanges,
  empty,
}: {
  readonly exchanges: readonly Exchange[]
  readonly empty: string
}) {
  if (exchanges.length === 0)
    return (
      <Text c="dimmed" ta="center" p="xl" data-testid="exchanges-empty">
        {empty}
      </Text>
    )
  return (
    <ol className="plain-list" data-testid="exchanges">
      {exchanges.map(({ pid, exchange, kind, direction, name, connection, args, outcome, ...facts }) => (
        <li key={`${pid} ${exchange}`} className="console-row" data-kind={kind}>
          <Text span inherit c="dimmed" visibleFrom="sm">
            {new Date(facts.time).toISOString().slice(11, 23)}
          </Text>
          {direction === 'in' ? (
            <ArrowRightIcon role="img" aria-label="into the wrapper" />
          ) : (
            <ArrowLeftIcon role="img" aria-label="out of the wrapper" />
          )}
          <Text span inherit c="dimmed" visibleFrom="sm">
            {kind}
            {connection !== undefined && ` ${connection}`}
          </Text>
          <span>
            <b>{name ?? kind}</b>{' '}
            <Text span size="xs" c={outcome === 'ok' ? 'dimmed' : 'var(--text-danger)'}>
              {outcome}
            </Text>
            {args !== undefined && (
              <Text span display="block" size="xs" c="dimmed">
                {args}
              </Text>
            )}
          </span>
          <Text span inherit c="dimmed" visibleFrom="sm">
            {formatBytes(facts.bytes)}
            {facts.replyBytes !== undefined && ` / ${formatBytes(facts.replyBytes)}`}
          </Text>
          <Text span size="xs" ta="right">
            {formatDuration(facts.durationMs)}
          </Text>
        </li>
      ))}
    </ol>
  )
}

function formatBytes(count: number): string {
  return count < 10_000 ? `${count} B` : `${Math.round(count / 1024)} kB`
}

function formatDuration(ms: number): string {
  if (ms < 0.1) return '<0.1 ms'
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`
}

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
            {facts.bytes} B{facts.replyBytes !== undefined && ` / ${facts.replyBytes} B`}
          </Text>
          <Text span size="xs" ta="right">
            {facts.durationMs.toFixed(1)} ms
          </Text>
        </li>
      ))}
    </ol>
  )
}

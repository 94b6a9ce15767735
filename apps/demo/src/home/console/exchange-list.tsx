import { Button, Flex, Text } from '@mantine/core'
import { ArrowLeftIcon, ArrowRightIcon } from '@radix-ui/react-icons'
import { type ReactNode, useState } from 'react'
import { localeNow } from '../../journal/texts.ts'
import { type Branch, beginOf, foldRuns } from './group-exchanges.ts'
import { t } from './texts.ts'

/** One group a command, newest first. Groups in a row that look the same are one, until somebody unfolds them. */
export function ExchangeList({ branches }: { readonly branches: readonly Branch[] }) {
  return (
    <ol className="plain-list" data-testid="exchanges">
      {foldRuns(branches).map(run => (
        // By its oldest one: the newest changes.
        <RunOf key={run.at(-1)?.key} run={run} />
      ))}
    </ol>
  )
}

function RunOf({ run }: { readonly run: readonly Branch[] }) {
  const [isOpen, setOpen] = useState(false)
  const count = run.length
  return (isOpen ? run : run.slice(0, 1)).map((branch, index) => (
    <li key={branch.key} className="console-group">
      <Row {...branch} depth={0}>
        {count > 1 && index === 0 && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('times', { count })}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            × {count}
          </Button>
        )}
      </Row>
      <Inner branches={branch.inner} depth={1} />
    </li>
  ))
}

interface InnerProps {
  readonly branches: readonly Branch[]
  readonly depth: number
}

function Inner({ branches, depth }: InnerProps) {
  return branches.length === 0 ? undefined : (
    <ol className="plain-list">
      {branches.map(branch => (
        <li key={branch.key}>
          <Row {...branch} depth={depth} />
          <Inner branches={branch.inner} depth={depth + 1} />
        </li>
      ))}
    </ol>
  )
}

interface RowProps extends Branch {
  readonly depth: number
  readonly children?: ReactNode
}

const timeOfDay = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
} as const

function Row({
  depth,
  children,
  time,
  direction,
  kind,
  connection,
  name,
  outcome,
  args,
  durationMs,
  ...facts
}: RowProps) {
  const Arrow = direction === 'in' ? ArrowRightIcon : ArrowLeftIcon
  return (
    <div className="console-row" data-kind={kind}>
      <Text span inherit c="dimmed" className="console-wide">
        {new Intl.DateTimeFormat(localeNow(), timeOfDay).format(beginOf({ time, durationMs }))}
      </Text>
      <Flex gap={8} ps={depth * 20} miw={0}>
        <Arrow role="img" aria-label={t(direction === 'in' ? 'into' : 'out')} className="console-arrow" />
        <span lang="en">
          <b>{name ?? kind}</b>{' '}
          <Text span size="xs" c="dimmed">
            {kind} {connection}
          </Text>{' '}
          <Text span size="xs" c={outcome === 'ok' ? 'dimmed' : 'var(--text-danger)'}>
            {outcome}
          </Text>
          {args !== undefined && (
            <Text span display="block" size="xs" c="dimmed">
              {args}
            </Text>
          )}
        </span>
        {children}
      </Flex>
      <Text span inherit c="dimmed" className="console-wide">
        {facts.bytes} B{facts.replyBytes !== undefined && ` / ${facts.replyBytes} B`}
      </Text>
      <Text span size="xs" ta="right">
        {durationMs.toFixed(1)} ms
      </Text>
    </div>
  )
}

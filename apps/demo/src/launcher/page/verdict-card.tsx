import { Code, List, Text } from '@mantine/core'
import { CheckIcon, Cross2Icon, MinusIcon } from '@radix-ui/react-icons'
import type { ExplainedCheck } from '@service-link/jwt-payload'
import { Card } from '@service-link/ui'
import { t } from './texts.ts'

interface VerdictCardProps {
  readonly checks: readonly ExplainedCheck[]
  /** What the checks cannot know here. */
  readonly limit: string | undefined
}

/** The library's checks, live. Their sentences are the library's, for developers. */
export function VerdictCard({ checks, limit }: VerdictCardProps) {
  const shown = checks.find(({ outcome }) => outcome === 'failed') ?? checks[0]
  return (
    <Card title={t('verdict.checks')}>
      {limit !== undefined && <Text size="sm">{limit}</Text>}
      <List spacing="xs" pl={0} ml={0} styles={{ itemWrapper: { alignItems: 'start' } }}>
        {checks.map(check => (
          <Check key={check.check} {...check} isShown={check === shown} />
        ))}
      </List>
    </Card>
  )
}

const icons = { passed: CheckIcon, failed: Cross2Icon, 'not-checked': MinusIcon }

const colors = { passed: 'inherit', failed: 'var(--text-danger)', 'not-checked': 'dimmed' }

/** The check that the bar leads to has the id `checks`. */
function Check({
  check,
  outcome,
  code,
  says,
  change,
  isShown,
}: ExplainedCheck & { readonly isShown: boolean }) {
  const Icon = icons[outcome]
  return (
    <List.Item
      data-check={check}
      {...(isShown && { id: 'checks', tabIndex: -1 })}
      c={colors[outcome]}
      icon={<Icon role="img" aria-label={t(`verdict.${outcome}`)} />}
    >
      <b>{check}</b> {code !== undefined && <Code>{code}</Code>}
      <Text size="sm" lang="en">
        {says}
      </Text>
      {change !== undefined && (
        <Text size="sm" fw={600} lang="en">
          {change}
        </Text>
      )}
    </List.Item>
  )
}

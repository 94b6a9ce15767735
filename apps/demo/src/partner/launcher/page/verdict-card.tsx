import { Anchor, Badge, Button, Code, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { CheckIcon, Cross2Icon, MinusIcon } from '@radix-ui/react-icons'
import { type ExplainedCheck, isRefusalCode, refusalStatus } from '@service-link/jwt-payload'
import { useState } from 'react'
import type { LaunchRequest } from '../launch.ts'
import type { Exchange } from '../launcher-routes.ts'

export interface Sent {
  readonly id: string
  readonly request: LaunchRequest
  readonly exchange: Exchange
}

interface VerdictCardProps {
  readonly checks: readonly ExplainedCheck[]
  /** What the checks cannot know here. */
  readonly limit: string | undefined
  readonly sent: readonly Sent[]
  readonly isBusy: boolean
  readonly problem: string | undefined
  readonly onCall: () => void
  readonly onPost: (target: '_blank' | 'answer') => void
}

const reference =
  'https://github.com/service-link/service-link/blob/main/docs/reference/partner-link-refusals.md'

/** The library's checks, live, beside the service's own answer. */
export function VerdictCard({ checks, limit, sent, isBusy, problem, onCall, onPost }: VerdictCardProps) {
  const [target, setTarget] = useState<'_blank' | 'answer'>('_blank')
  const [isFramed, setFramed] = useState(false)
  const failed = checks.find(({ outcome }) => outcome === 'failed')
  return (
    <section className="card launcher-card" aria-labelledby="verdict-title">
      <Title order={2} id="verdict-title" mb="xs">
        Verdict
      </Title>
      <div className="verdict">
        <Stack gap="xs">
          <Group gap="xs">
            <Title order={3}>Checks, live</Title>
            <Badge color={failed ? 'red' : 'teal'} variant="light" tt="none" data-testid="expected">
              {failed ? failed.code : 'all that can be known here pass'}
            </Badge>
          </Group>
          {limit !== undefined && <Text size="sm">{limit}</Text>}
          <ol className="checks" data-testid="checks">
            {checks.map(check => (
              <Check key={check.check} {...check} />
            ))}
          </ol>
        </Stack>
        <Stack gap="xs">
          <Title order={3}>The service’s answer</Title>
          <Group gap="xs">
            <Button
              onClick={() => {
                setFramed(target === 'answer')
                onPost(target)
              }}
              loading={isBusy}
              data-testid="post"
            >
              Post
            </Button>
            <SegmentedControl
              aria-label="Where the answer opens"
              size="xs"
              value={target}
              onChange={value => setTarget(value === 'answer' ? 'answer' : '_blank')}
              data={[
                { value: '_blank', label: 'in a new tab' },
                { value: 'answer', label: 'in a frame' },
              ]}
            />
            <Button variant="default" onClick={onCall} loading={isBusy} data-testid="call">
              Call directly
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            Post sends a form, as a browser does. A direct call goes out from the journal’s server and asks
            for JSON.
          </Text>
          {problem !== undefined && (
            <Text role="alert" c="var(--text-danger)">
              {problem}
            </Text>
          )}
          {/* The frame exists before the form names it: a form with an unknown target opens a tab. */}
          <iframe name="answer" title="The service’s answer" className="answer-frame" hidden={!isFramed} />
          <div aria-live="polite">
            {sent.map(one => (
              <Answer key={one.id} {...one} isLast={one === sent.at(-1)} />
            ))}
          </div>
        </Stack>
      </div>
    </section>
  )
}

const icons = { passed: CheckIcon, failed: Cross2Icon, 'not-checked': MinusIcon }

function Check({ check, outcome, code, says, change }: ExplainedCheck) {
  const Icon = icons[outcome]
  return (
    <li data-outcome={outcome} data-check={check}>
      <Icon aria-hidden="true" />
      <div>
        <b>{check}</b> <span className="unseen">{outcome === 'not-checked' ? 'not checked' : outcome}</span>
        {code !== undefined && <Code ml={6}>{code}</Code>}
        <Text size="sm">{says}</Text>
        {change !== undefined && (
          <Text size="sm" fw={600}>
            {change}
          </Text>
        )}
      </div>
    </li>
  )
}

function Answer({ request, exchange, isLast }: Sent & { readonly isLast: boolean }) {
  if ('problem' in exchange)
    return (
      <Text role="alert" c="var(--text-danger)">
        {exchange.problem}
      </Text>
    )
  const { status, headers, body, ms } = exchange
  const answer = readJson(body)
  const code = isRefusalCode(answer.code) ? answer.code : undefined
  return (
    <Stack gap={6} mt="sm" data-testid={isLast ? 'answer' : 'earlier-answer'}>
      <Group gap="xs">
        <Badge color={status < 400 ? 'teal' : 'red'} variant="light" tt="none" data-testid="status">
          {status} {code ?? (status < 400 ? 'accepted' : '')}
        </Badge>
        <Text size="sm" c="dimmed">
          {ms} ms
        </Text>
      </Group>
      {typeof answer.detail === 'string' && <Text>{answer.detail}</Text>}
      {code !== undefined && (
        <Anchor href={`${reference}#${code.toLowerCase()}`} target="_blank" rel="noreferrer">
          {code} in the reference, status {refusalStatus[code]}
        </Anchor>
      )}
      {typeof answer.url === 'string' && /^https?:\/\//.test(answer.url) && (
        <Anchor href={answer.url} target="_blank" rel="noreferrer" data-testid="one-time-url">
          Open the one-time URL, within 60 s
        </Anchor>
      )}
      <details>
        <summary>Request and answer, whole</summary>
        <Code block className="whole" tabIndex={0}>
          {`${request.method} ${request.url}\n${linesOf(Object.entries(request.headers))}\n\n${shorten(request.body)}`}
        </Code>
        <Code block className="whole" tabIndex={0} mt={6}>
          {`${status}\n${linesOf(headers)}\n\n${body}`}
        </Code>
      </details>
    </Stack>
  )
}

const linesOf = (headers: readonly (readonly string[])[]) =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n')

const shorten = (text: string) =>
  text.length > 8000 ? `${text.slice(0, 8000)}… (${text.length} characters)` : text

function readJson(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

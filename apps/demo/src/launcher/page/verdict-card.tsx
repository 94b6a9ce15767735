import { Anchor, Badge, Button, Code, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { CheckIcon, Cross2Icon, MinusIcon } from '@radix-ui/react-icons'
import { type ExplainedCheck, isRefusalCode } from '@service-link/jwt-payload'
import { Card, CodeText, Problem } from '@service-link/ui'
import { useState } from 'react'
import type { Exchange } from '../partner-routes.ts'
import type { LaunchRequest } from '../request.ts'

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
  /** Posts into a window by its name; without one, calls directly. */
  readonly onSend: (target?: string) => void
}

const reference =
  'https://github.com/service-link/service-link/blob/main/docs/reference/partner-link-refusals.md'

/** The library's checks, live, beside the service's own answer. */
export function VerdictCard({ checks, limit, sent, isBusy, problem, onSend }: VerdictCardProps) {
  const [isFramed, setFramed] = useState(false)
  const failed = checks.find(({ outcome }) => outcome === 'failed')
  const post = (target: string) => {
    setFramed(target === 'answer')
    onSend(target)
  }
  return (
    <Card title="Verdict">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Stack gap="xs">
          <Title order={3}>The checks of explainPayload, live</Title>
          <Badge color={failed ? 'red' : 'teal'} variant="light" tt="none" data-testid="expected">
            {failed ? failed.code : checks.length > 0 ? 'all that can be known here pass' : 'no token yet'}
          </Badge>
          {limit !== undefined && <Text size="sm">{limit}</Text>}
          <List spacing="xs" pl={0} ml={0} styles={{ itemWrapper: { alignItems: 'start' } }}>
            {checks.map(check => (
              <Check key={check.check} {...check} />
            ))}
          </List>
        </Stack>
        <Stack gap="xs">
          <Title order={3}>The service’s answer</Title>
          <Group gap="xs">
            <Button onClick={() => post('_blank')} loading={isBusy} data-testid="post">
              Post in a new tab
            </Button>
            <Button variant="default" onClick={() => post('answer')} loading={isBusy} data-testid="frame">
              Post into a frame
            </Button>
            <Button variant="default" onClick={() => onSend()} loading={isBusy} data-testid="call">
              Call directly
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            A post is a form, as a browser sends it. A direct call comes from the journal’s server and asks
            for JSON. A service lets registered origins alone frame it.
          </Text>
          <Problem text={problem} />
          <iframe name="answer" title="The service’s answer" width="100%" height="420" hidden={!isFramed} />
          <div aria-live="polite">
            {sent.map(one => (
              <Answer key={one.id} {...one} isLast={one === sent.at(-1)} />
            ))}
          </div>
        </Stack>
      </SimpleGrid>
    </Card>
  )
}

const icons = { passed: CheckIcon, failed: Cross2Icon, 'not-checked': MinusIcon }

const colors = { passed: 'inherit', failed: 'var(--text-danger)', 'not-checked': 'dimmed' }

function Check({ check, outcome, code, says, change }: ExplainedCheck) {
  const Icon = icons[outcome]
  return (
    <List.Item
      data-check={check}
      c={colors[outcome]}
      icon={<Icon role="img" aria-label={outcome === 'not-checked' ? 'not checked' : outcome} />}
    >
      <b>{check}</b> {code !== undefined && <Code>{code}</Code>}
      <Text size="sm">{says}</Text>
      {change !== undefined && (
        <Text size="sm" fw={600}>
          {change}
        </Text>
      )}
    </List.Item>
  )
}

function Answer({ request, exchange, isLast }: Sent & { readonly isLast: boolean }) {
  if ('problem' in exchange) return <Problem text={exchange.problem} />
  const { status, headers, body, ms } = exchange
  const { code, detail, url } = readAnswer(body)
  return (
    <Stack gap={6} mt="sm" data-testid={isLast ? 'answer' : undefined}>
      <Group gap="xs">
        <Badge color={status < 400 ? 'teal' : 'red'} variant="light" tt="none" data-testid="status">
          {status} {code ?? (status < 400 ? 'accepted' : '')}
        </Badge>
        <Text size="sm" c="dimmed">
          {ms} ms
        </Text>
      </Group>
      {detail !== undefined && <Text>{detail}</Text>}
      {isRefusalCode(code) && (
        <Anchor href={`${reference}#${code.toLowerCase()}`} target="_blank" rel="noreferrer">
          {code} in the reference
        </Anchor>
      )}
      {url?.startsWith('http') && (
        <Anchor href={url} target="_blank" rel="noreferrer">
          Open the one-time URL, within 60 s
        </Anchor>
      )}
      <details>
        <summary>Request and answer, whole</summary>
        <CodeText
          label="Request"
          text={`${request.method} ${request.url}\n${linesOf(Object.entries(request.headers))}\n\n${request.body}`}
        />
        <CodeText label="Answer" text={`${status}\n${linesOf(headers)}\n\n${body}`} />
      </details>
    </Stack>
  )
}

const linesOf = (headers: readonly (readonly string[])[]) => headers.map(pair => pair.join(': ')).join('\n')

function readAnswer(text: string): Partial<Record<'code' | 'detail' | 'url', string>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

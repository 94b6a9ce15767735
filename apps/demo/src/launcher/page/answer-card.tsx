import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { isRefusalCode } from '@service-link/jwt-payload'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import { Card, CodeText, Problem } from '@service-link/ui'
import type { ReactNode } from 'react'
import { t } from './texts.ts'
import {
  type Called,
  type Outcome,
  outcomeOfCall,
  outcomeOfPost,
  type PostedAnswer,
  readAnswer,
} from './use-sending.ts'

interface AnswerCardProps {
  readonly called: readonly Called[]
  readonly posted: PostedAnswer | undefined
  readonly frame: { readonly key: string; readonly isShown: boolean; readonly isRefused: boolean }
  readonly ways: readonly ('call' | 'frame')[]
  readonly isBusy: boolean
  readonly problem: string | undefined
  readonly onSend: (way: 'frame' | 'call') => void
}

/** What the service answered: to direct calls in whole, to a posted form what the demo's service tells of it. */
export function AnswerCard({ called, posted, frame, ways, isBusy, problem, onSend }: AnswerCardProps) {
  const isLast = (index: number) => posted === undefined && index === called.length - 1
  return (
    <Card title={t('answer.title')}>
      <Problem text={problem} />
      <Stack gap="sm" mih="5.5rem" aria-live="polite" tabIndex={-1} id="answers">
        {called.map((one, index) => (
          <CallAnswer key={one.id} {...one} isLast={isLast(index)} />
        ))}
        {posted !== undefined && <PostAnswer answer={posted} />}
        {frame.isRefused && <Text>{t('answer.frameRefused')}</Text>}
        {called.length === 0 && posted === undefined && (
          <Text size="sm" c="dimmed">
            {t('answer.about')}
          </Text>
        )}
      </Stack>
      <Group gap="xs">
        {ways.map(way => (
          <Button
            key={way}
            variant="default"
            size="xs"
            loading={isBusy}
            data-testid={way}
            onClick={() => onSend(way)}
          >
            {t(`bar.${way}`)}
          </Button>
        ))}
      </Group>
      <iframe
        key={frame.key}
        name="answer"
        title={t('answer.frame')}
        width="100%"
        height="420"
        hidden={!frame.isShown}
      />
    </Card>
  )
}

interface HeadProps {
  readonly outcome: Outcome
  readonly side: ReactNode
  readonly code: string | undefined
  readonly detail: string | undefined
}

/** Status, sentence and reference. The sentence is the service's, for developers. */
function Head({ outcome: { isGood, text }, side, code, detail }: HeadProps) {
  return (
    <>
      <Group gap="xs">
        <Badge
          color={isGood === undefined ? 'gray' : isGood ? 'teal' : 'red'}
          variant="light"
          tt="none"
          data-testid="status"
        >
          {text}
        </Badge>
        <Text size="sm" c="dimmed">
          {side}
        </Text>
      </Group>
      {detail !== undefined && <Text lang="en">{detail}</Text>}
      {isRefusalCode(code) && (
        <Anchor href={docsUrlOf(code)} target="_blank" rel="noreferrer">
          {t('answer.reference', { code })}
        </Anchor>
      )}
    </>
  )
}

function PostAnswer({ answer }: { readonly answer: PostedAnswer }) {
  const isKnown = typeof answer === 'object'
  const taken =
    isKnown && (['log-in', 'signed-in', 'linked', 'link'] as const).find(one => one === answer.result)
  return (
    <Stack gap={6} data-testid="answer">
      <Head
        outcome={outcomeOfPost(answer)}
        side={t('answer.posted')}
        code={isKnown ? answer.result : undefined}
        detail={isKnown ? answer.detail : undefined}
      />
      {taken && <Text>{t(`answer.${taken}`)}</Text>}
      {isKnown ? (
        <Text size="sm" c="dimmed">
          {t('answer.request')} <code>{answer.requestId}</code>
        </Text>
      ) : (
        answer !== 'waits' && <Text>{t(`answer.${answer}`)}</Text>
      )}
    </Stack>
  )
}

function CallAnswer({ isLast, ...called }: Called & { readonly isLast: boolean }) {
  const { request, exchange } = called
  if ('problem' in exchange) return <Problem text={exchange.problem} />
  const { status, headers, body, ms } = exchange
  const { code, detail, url } = readAnswer(body)
  return (
    <Stack gap={6} data-testid={isLast ? 'answer' : undefined}>
      <Head outcome={outcomeOfCall(called)} side={`${ms} ms`} code={code} detail={detail} />
      {url?.startsWith('http') && (
        <Anchor href={url} target="_blank" rel="noreferrer">
          {t('answer.oneTime')}
        </Anchor>
      )}
      <details>
        <summary>{t('answer.whole')}</summary>
        <CodeText
          label={t('answer.sent')}
          text={`${request.method} ${request.url}\n${linesOf(Object.entries(request.headers))}\n\n${request.body}`}
        />
        <CodeText label={t('answer.received')} text={`${status}\n${linesOf(headers)}\n\n${body}`} />
      </details>
    </Stack>
  )
}

const linesOf = (headers: readonly (readonly string[])[]) => headers.map(pair => pair.join(': ')).join('\n')

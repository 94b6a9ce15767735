import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import type { Traffic } from '@service-link/protocol-core'
import { CodeText } from '@service-link/ui'
import { useState } from 'react'
import { type Exchange, formatBytes, formatDuration, nameOf } from './exchanges.ts'
import { hidePersonal } from './hide-personal.ts'

/** A request and its reply: as text, JSON indented, or their bytes. */
export function ExchangeDetail({
  exchange: { request, reply },
  showsPersonal,
}: {
  readonly exchange: Exchange
  readonly showsPersonal: boolean
}) {
  const [form, setForm] = useState('Text')
  return (
    <Stack gap="md" data-testid="exchange">
      <Group justify="space-between" gap="xs">
        <Title order={2} className="console-name">
          {nameOf(request)}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Form of the messages"
          value={form}
          onChange={setForm}
          data={['Text', 'Bytes']}
        />
      </Group>
      <Message title="Request" message={request} form={form} showsPersonal={showsPersonal} />
      {reply ? (
        <Message title="Reply" message={reply} form={form} showsPersonal={showsPersonal} />
      ) : (
        <Text c="dimmed" size="sm">
          {request.kind === 'bridge' && request.direction === 'in'
            ? 'The page tells this.'
            : 'No reply so far.'}
        </Text>
      )}
    </Stack>
  )
}

interface MessageProps {
  readonly title: string
  readonly message: Traffic
  readonly form: string
  readonly showsPersonal: boolean
}

function Message({ title, message, form, showsPersonal }: MessageProps) {
  const { bytes, isCut, outcome, durationMs, time } = message
  const facts = [
    message.direction === 'in' ? 'into the wrapper' : 'out of the wrapper',
    formatBytes(bytes),
    ...(outcome == null ? [] : [outcome]),
    ...(durationMs == null ? [] : [formatDuration(durationMs)]),
    new Date(time).toISOString().slice(11, 23),
  ]
  return (
    <section aria-label={title}>
      <Title order={3}>{title}</Title>
      <Text size="xs" c="dimmed" mb={6}>
        {facts.join(' · ')}
      </Text>
      <CodeText
        label={`Content of the ${title.toLowerCase()}`}
        text={contentOf(message, form, showsPersonal)}
        testId={title.toLowerCase()}
      />
      {isCut && (
        <Text size="xs" c="dimmed" mt={4}>
          Only the first 16 KiB are shown.
        </Text>
      )}
    </section>
  )
}

function contentOf(message: Traffic, form: string, showsPersonal: boolean): string {
  const safe = hidePersonal(message)
  const isWhole = showsPersonal || !safe.isHidden
  if (message.bytes === 0) return 'empty'
  if (form === 'Bytes') return isWhole ? hexOf(message) : 'The bytes hold personal data, which is hidden.'
  if (message.text == null) return isWhole ? hexOf(message) : 'The bytes are no text.'
  return indent(isWhole ? message.text : safe.text)
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** Sixteen bytes a line: place, bytes, characters. A frame begins with its length prefix. */
function hexOf({ kind, text, base64, bytes, isCut }: Traffic): string {
  const content =
    text == null
      ? Uint8Array.from(atob(base64 ?? ''), one => one.charCodeAt(0))
      : new TextEncoder().encode(text)
  const prefix = new Uint8Array(kind === 'frame' && text != null ? 4 : 0)
  if (prefix.length > 0) new DataView(prefix.buffer).setInt32(0, bytes, true)
  const all = [...prefix, ...content]
  const lines = []
  for (let at = 0; at < all.length; at += 16) {
    const part = all.slice(at, at + 16)
    const hex = part.map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    const characters = part.map(byte => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${at.toString(16).padStart(4, '0')}  ${hex.padEnd(47)}  ${characters}`)
  }
  return `${lines.join('\n')}${isCut ? '\n…' : ''}`
}

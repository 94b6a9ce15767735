import {
  Alert,
  Badge,
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { CodeText } from '@service-link/ui'
import { keyedFetch } from '@service-link/ui/page-key'
import { useMutation } from '@tanstack/react-query'
import { hc, type InferResponseType, parseResponse } from 'hono/client'
import { useState } from 'react'
import type { ConsoleApp } from './console-routes.ts'
import type { FormRequest, Transport } from './prepare-request.ts'
import { t } from './texts.ts'

/** The console's server. Read its answers with `parseResponse`. */
export const api = hc<ConsoleApp>('/console/api', { fetch: keyedFetch })

const forms = await parseResponse(api.forms.$get())

type Form = (typeof forms)[number]

function formOf(command: string) {
  const form = forms.find(({ name }) => name === command)
  if (!form) throw new TypeError('The console has no form of this command.')
  return form
}

const ways = ['arguments', 'xml', 'classic', 'session'] as const satisfies readonly Transport[]

/** Values of an invented person, by argument. */
const example: Readonly<Record<string, string>> = {
  customid: '1001',
  firstname: 'Kari',
  lastname: 'Nordmann',
  dateofbirth: '1984-02-29',
  text: 'knee',
}

/** Sends a command by each way that has it. All forms come from the command table. */
export function Composer({ isReady }: { readonly isReady: boolean }) {
  const [form, setForm] = useState(() => formOf('selectperson'))
  const [wanted, setTransport] = useState<Transport>('session')
  /** Arguments by command: a field of one must never travel with another. */
  const [filled, setFilled] = useState<Readonly<Record<string, Record<string, string>>>>({})
  const args = filled[form.name] ?? example
  const sending = useMutation({
    mutationFn: (json: FormRequest) => parseResponse(api.requests.$post({ json })),
  })
  const transport = form.transports.includes(wanted) ? wanted : 'session'
  const request: FormRequest = { transport, command: form.name, args }
  const fields = (shown: Form['args']) => (
    <SimpleGrid minColWidth={150} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      {shown.map(arg => (
        <ArgumentField
          key={arg.name}
          {...arg}
          value={args[arg.name] ?? ''}
          onChange={value => setFilled({ ...filled, [form.name]: { ...args, [arg.name]: value } })}
        />
      ))}
    </SimpleGrid>
  )
  return (
    <Stack gap="md">
      <form
        onSubmit={event => {
          event.preventDefault()
          sending.mutate(request)
        }}
      >
        <Stack gap="sm">
          <Title order={2}>{t('send.title')}</Title>
          <NativeSelect
            label={t('send.command')}
            description={<span lang="en">{form.summary}</span>}
            value={form.name}
            data={forms.map(({ name }) => name)}
            onChange={event => {
              setForm(formOf(event.currentTarget.value))
              sending.reset()
            }}
          />
          <SegmentedControl
            style={{ flexWrap: 'wrap' }}
            size="xs"
            fullWidth
            color="teal"
            aria-label={t('send.way')}
            value={transport}
            onChange={value => setTransport(value as Transport)}
            data={ways.map(value => ({
              value,
              label: t(`send.${value}`),
              disabled: !form.transports.includes(value),
            }))}
          />
          {form.args.length > 0 && fields(form.args)}
          {form.moreArgs.length > 0 && (
            <details data-testid="more-fields">
              <Text component="summary" size="sm">
                {t('send.more', { count: form.moreArgs.length })}
              </Text>
              {fields(form.moreArgs)}
            </details>
          )}
          <Group className="console-sticky" py="xs">
            <Button type="submit" size="sm" loading={sending.isPending} disabled={!isReady}>
              {t('send.button')}
            </Button>
          </Group>
        </Stack>
      </form>
      <div aria-live="polite">
        {sending.isPending && (
          <Text size="sm" c="dimmed">
            {t('send.waiting')}
          </Text>
        )}
        {sending.isError && <Alert color="red" title={t('send.silent')} data-testid="sent" />}
        {sending.data && <Sent {...sending.data} />}
      </div>
    </Stack>
  )
}

type ArgumentFieldProps = Form['args'][number] & {
  readonly value: string
  readonly onChange: (value: string) => void
}

function ArgumentField({ name, type, isRequired, isObsolete, summary, value, onChange }: ArgumentFieldProps) {
  const Field = type === 'JSON' ? Textarea : TextInput
  return (
    <Field
      size="xs"
      label={
        <>
          {name}{' '}
          {isObsolete && (
            <Badge size="xs" color="gray">
              {t('send.obsolete')}
            </Badge>
          )}
        </>
      }
      description={<span lang="en">{type === 'text' ? summary : `${summary} (${type})`}</span>}
      withAsterisk={isRequired}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function Sent({ isDone, sent, text, durationMs }: InferResponseType<typeof api.requests.$post, 200>) {
  return (
    <Alert
      color={isDone ? 'teal' : 'red'}
      title={t(isDone ? 'send.done' : 'send.refused', { ms: durationMs })}
      data-testid="sent"
    >
      <Stack gap="xs">
        {sent !== '' && <CodeText label={t('send.request')} text={sent} testId="request" />}
        <CodeText
          label={t('send.reply')}
          text={text === '' ? t('send.noReply') : indented(text)}
          testId="reply"
        />
      </Stack>
    </Alert>
  )
}

/** JSON with its levels; other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

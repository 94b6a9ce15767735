import {
  Alert,
  Button,
  CopyButton,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { type ClientResponse, hc, type InferResponseType } from 'hono/client'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type FormEvent, useEffect, useState } from 'react'
import type { ConsoleApp } from './console-routes.ts'
import type { Copies } from './copy-as.ts'
import { hidePersonal } from './hide-personal.ts'
import type { FormRequest, Transport } from './prepare-request.ts'
import type { SentRequest } from './send-request.ts'

const api = hc<ConsoleApp>('/console/api')

type Form = InferResponseType<typeof api.forms.$get>[number]

const transportLabels: Readonly<Record<Transport, string>> = {
  arguments: 'Arguments',
  xml: 'XML file',
  classic: 'Pipe, classic',
  session: 'Pipe, session',
}

const copyLabels: Readonly<Record<keyof Copies, string>> = {
  commandLine: 'Command line',
  xml: 'XML',
  frame: 'JSON frame',
  csharp: 'C#',
  python: 'Python',
}

/** Values of an invented person, by argument. */
const example: Readonly<Record<string, string>> = {
  customid: '1001',
  firstname: 'Kari',
  lastname: 'Nordmann',
  dateofbirth: '1984-02-29',
  text: 'knee',
}

/** Sends a command by each way that has it. All forms come from the command table. */
export function Composer({
  isReady,
  showsPersonal,
}: {
  readonly isReady: boolean
  readonly showsPersonal: boolean
}) {
  const [forms, setForms] = useState<readonly Form[]>([])
  const [command, setCommand] = useState<Form['name']>('selectperson')
  const [wanted, setTransport] = useState<Transport>('session')
  const [args, setArgs] = useState<Record<string, string>>(example)
  const [sent, setSent] = useState<SentRequest | 'sending'>()
  useEffect(() => {
    void read(api.forms.$get()).then(setForms)
  }, [])
  const form = forms.find(({ name }) => name === command)
  if (!form) return null
  const transport = form.transports.includes(wanted) ? wanted : 'session'
  const request: FormRequest = { transport, command, args }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setSent('sending')
    const failed = { isDone: false, text: 'The demo does not answer.', durationMs: 0 }
    setSent(await read(api.requests.$post({ json: request })).catch(() => failed))
  }
  return (
    <Stack gap="md">
      <form onSubmit={send}>
        <Stack gap="sm">
          <NativeSelect
            label="Command"
            description={form.summary}
            value={command}
            data={forms.map(({ name }) => name)}
            onChange={event => {
              setCommand(event.currentTarget.value as Form['name'])
              setSent(undefined)
            }}
          />
          <SegmentedControl
            className="console-choices"
            size="xs"
            fullWidth
            aria-label="Way"
            value={transport}
            onChange={value => setTransport(value as Transport)}
            data={Object.entries(transportLabels).map(([value, label]) => ({
              value,
              label,
              disabled: !form.transports.includes(value as Transport),
            }))}
          />
          <div className="console-fields">
            {form.args.map(({ name, type, isRequired, summary }) => {
              const Field = type === 'JSON' ? Textarea : TextInput
              return (
                <Field
                  key={name}
                  size="xs"
                  label={name}
                  description={type === 'text' ? summary : `${summary} (${type})`}
                  withAsterisk={isRequired}
                  value={args[name] ?? ''}
                  onChange={event => setArgs({ ...args, [name]: event.currentTarget.value })}
                />
              )
            })}
          </div>
          <Group>
            <Button type="submit" size="sm" loading={sent === 'sending'} disabled={!isReady}>
              Send
            </Button>
            <Button variant="subtle" size="sm" onClick={() => setArgs({})}>
              Empty the fields
            </Button>
          </Group>
        </Stack>
      </form>
      <div aria-live="polite">
        {sent === 'sending' && (
          <Text size="sm" c="dimmed">
            Waiting for the reply. Until somebody is signed in, it may take 30 seconds; a launch waits longer.
          </Text>
        )}
        {sent && sent !== 'sending' && (
          <Alert
            color={sent.isDone ? 'teal' : 'red'}
            title={`${sent.isDone ? 'Done' : 'Refused'} in ${sent.durationMs} ms`}
            data-testid="sent"
          >
            <pre className="console-code">{replyText(sent, transport, showsPersonal)}</pre>
          </Alert>
        )}
      </div>
      <CopyAs request={request} />
    </Stack>
  )
}

function replyText({ text }: SentRequest, transport: Transport, showsPersonal: boolean): string {
  if (text === '') return 'The connection closed without a reply, as it should.'
  const kind = transport === 'classic' || transport === 'session' ? 'frame' : 'launch'
  return showsPersonal ? text : hidePersonal({ kind, direction: 'out', text }).text
}

function CopyAs({ request }: { readonly request: FormRequest }) {
  const [kind, setKind] = useState<keyof Copies>('commandLine')
  const [copies, setCopies] = useState<Copies>()
  const key = JSON.stringify(request)
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(async () => {
      const next = await read(api.copies.$post({ json: JSON.parse(key) })).catch(() => undefined)
      if (!isOver) setCopies(next)
    }, 150)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [key])
  const copy = copies?.[kind]
  const text = copy && 'text' in copy ? copy.text : undefined
  return (
    <section aria-labelledby="copy-as">
      <Group justify="space-between" mb={6}>
        <Title order={3} id="copy-as">
          Copy as
        </Title>
        <CopyButton value={text ?? ''}>
          {({ copied, copy: take }) => (
            <Button size="compact-sm" variant="default" onClick={take} disabled={text === undefined}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <SegmentedControl
        className="console-choices"
        mb="xs"
        size="xs"
        fullWidth
        aria-label="Form of the copy"
        value={kind}
        onChange={value => setKind(value as keyof Copies)}
        data={Object.entries(copyLabels).map(([value, label]) => ({ value, label }))}
      />
      {text === undefined ? (
        <Text size="sm" c="dimmed" mt="xs" data-testid="copy-problem">
          {copy && 'problem' in copy ? copy.problem : ''}
        </Text>
      ) : (
        <pre className="console-code" data-testid="copy">
          {text}
        </pre>
      )}
    </section>
  )
}

async function read<Value>(
  answer: Promise<ClientResponse<Value, ContentfulStatusCode, 'json'>>,
): Promise<Value> {
  const response = await answer
  if (!response.ok) throw new Error('The console’s server refused a request.')
  return (await response.json()) as Value
}

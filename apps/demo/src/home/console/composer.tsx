import {
  Alert,
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { CodeText } from '@service-link/ui'
import { keyedFetch } from '@service-link/ui/page-key'
import { useMutation } from '@tanstack/react-query'
import { hc, parseResponse } from 'hono/client'
import { useState } from 'react'
import type { ConsoleApp } from './console-routes.ts'
import type { FormRequest, Transport } from './prepare-request.ts'

/** The console's server. Read its answers with `parseResponse`. */
export const api = hc<ConsoleApp>('/console/api', { fetch: keyedFetch })

const forms = await parseResponse(api.forms.$get())

function formOf(command: string) {
  const form = forms.find(({ name }) => name === command)
  if (!form) throw new TypeError('The console has no form of this command.')
  return form
}

const transportLabels: Readonly<Record<Transport, string>> = {
  arguments: 'Arguments',
  xml: 'XML file',
  classic: 'Pipe, classic',
  session: 'Pipe, session',
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
export function Composer({ isReady }: { readonly isReady: boolean }) {
  const [form, setForm] = useState(() => formOf('selectperson'))
  const [wanted, setTransport] = useState<Transport>('session')
  const [args, setArgs] = useState<Record<string, string>>(example)
  const sending = useMutation({
    mutationFn: (json: FormRequest) => parseResponse(api.requests.$post({ json })),
  })
  const transport = form.transports.includes(wanted) ? wanted : 'session'
  const request: FormRequest = { transport, command: form.name, args }
  const failed = { isDone: false, sent: '', text: 'The demo does not answer.', durationMs: 0 }
  const sent = sending.isError ? failed : sending.data
  return (
    <Stack gap="md">
      <form
        onSubmit={event => {
          event.preventDefault()
          sending.mutate(request)
        }}
      >
        <Stack gap="sm">
          <NativeSelect
            label="Command"
            description={form.summary}
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
            aria-label="Way"
            value={transport}
            onChange={value => setTransport(value as Transport)}
            data={Object.entries(transportLabels).map(([value, label]) => ({
              value,
              label,
              disabled: !form.transports.includes(value as Transport),
            }))}
          />
          <SimpleGrid minColWidth={150} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
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
          </SimpleGrid>
          <Group>
            <Button type="submit" size="sm" loading={sending.isPending} disabled={!isReady}>
              Send
            </Button>
            <Button variant="subtle" size="sm" onClick={() => setArgs({})}>
              Empty the fields
            </Button>
          </Group>
        </Stack>
      </form>
      <div aria-live="polite">
        {sending.isPending && (
          <Text size="sm" c="dimmed">
            Waiting for the reply. Until somebody is signed in, it may take 30 seconds; a launch waits longer.
          </Text>
        )}
        {sent && (
          <Alert
            color={sent.isDone ? 'teal' : 'red'}
            title={`${sent.isDone ? 'Done' : 'Refused'} in ${sent.durationMs} ms`}
            data-testid="sent"
          >
            {sent.sent !== '' && <CodeText label="Request" text={sent.sent} testId="request" />}
            <CodeText
              label="Reply"
              text={sent.text || 'The connection closed without a reply, as it should.'}
              testId="reply"
            />
          </Alert>
        )}
      </div>
    </Stack>
  )
}

import { Button, Code, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { plainRegistration } from '../launch.ts'
import type { Registered } from './launch-state.ts'
import { registerKey } from './launch-state.ts'
import { sentenceOf } from './server.ts'

/** Registers a partner's own public key, so that their own code can post. */
export function RegisterCard() {
  const form = useForm({ initialValues: { key: '', kid: '', issuer: '' } })
  const [registered, setRegistered] = useState<Registered>()
  const [problem, setProblem] = useState<string>()
  const submit = form.onSubmit(async values => {
    setProblem(undefined)
    setRegistered(undefined)
    try {
      setRegistered(await registerKey({ ...plainRegistration, ...values }))
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  })
  return (
    <details className="card launcher-card" data-testid="register">
      <summary>
        <Title order={2} component="span">
          Register your own key for an hour
        </Title>
      </summary>
      <form onSubmit={submit}>
        <Stack gap="xs" mt="xs">
          <Text size="sm">
            Then your own code can post to the demo’s service. Give the public part alone.
          </Text>
          <Textarea
            label="Public key"
            description="PEM of a public key or certificate, a JSON Web Key, or the https address of a key set"
            size="xs"
            autosize
            minRows={4}
            maxRows={12}
            required
            classNames={{ input: 'code-input' }}
            {...form.getInputProps('key')}
            data-testid="public-key"
          />
          <Group grow preventGrowOverflow={false}>
            <TextInput label="kid" size="xs" placeholder="that of the key" {...form.getInputProps('kid')} />
            <TextInput label="iss" size="xs" placeholder="a new one" {...form.getInputProps('issuer')} />
          </Group>
          <Group>
            <Button type="submit" size="xs" data-testid="register-key">
              Register
            </Button>
          </Group>
          {problem !== undefined && (
            <Text role="alert" c="var(--text-danger)">
              {problem}
            </Text>
          )}
          {registered && (
            <div role="status" data-testid="registered">
              <Text size="sm">
                Registered until {new Date(registered.endsAt).toLocaleTimeString('en-GB')}. Sign with these:
              </Text>
              <Code
                block
              >{`iss  ${registered.issuer}\nkid  ${registered.kid ?? '(any; iss finds the key)'}\naud  ${registered.audience}`}</Code>
            </div>
          )}
        </Stack>
      </form>
    </details>
  )
}

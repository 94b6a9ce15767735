import { Button, SimpleGrid, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Card, CodeText, Problem } from '@service-link/ui'
import { useMutation } from '@tanstack/react-query'
import { parseResponse } from 'hono/client'
import { ask, sentenceOf } from '../ask.ts'
import { plainRegistration } from '../presets.ts'

/** Registers a partner's own public key, so that their own code can post. */
export function RegisterCard() {
  const form = useForm({ initialValues: { key: '', kid: '', issuer: '', repeatable: false } })
  const { isActive, maxPostsPerMinute } = plainRegistration
  const registering = useMutation({
    mutationFn: (values: typeof form.values) =>
      parseResponse(ask.launcher.register.$post({ json: { ...values, isActive, maxPostsPerMinute } })),
  })
  const { data: registered, error } = registering
  return (
    <Card title="Register your own key" fold="register">
      <form onSubmit={form.onSubmit(values => registering.mutate(values))}>
        <Textarea
          label="Public key"
          description="PEM of a public key or certificate, a JSON Web Key, or the https address of a key set. Your own code can then post to the demo’s service."
          size="xs"
          rows={6}
          required
          styles={{ input: { fontFamily: 'monospace' } }}
          {...form.getInputProps('key')}
        />
        <SimpleGrid cols={2} spacing="xs" style={{ alignItems: 'end' }}>
          <TextInput label="kid" size="xs" placeholder="that of the key" {...form.getInputProps('kid')} />
          <TextInput label="iss" size="xs" placeholder="a new one" {...form.getInputProps('issuer')} />
        </SimpleGrid>
        <Switch
          size="xs"
          mt="xs"
          label="An older program: policy lenient, and a sample token without iat, exp and jti works each time (repeatable)"
          {...form.getInputProps('repeatable', { type: 'checkbox' })}
        />
        <Button type="submit" size="xs" my="xs">
          Register
        </Button>
      </form>
      <Problem text={error ? sentenceOf(error) : undefined} />
      {registered && (
        <div role="status">
          <Text size="sm">Registered until the demo ends. Sign with these claims and header:</Text>
          <CodeText
            label="Names to sign with"
            testId="registered"
            text={`iss  ${registered.issuer}\nkid  ${registered.kid ?? 'none is needed'}\naud  ${registered.audience}`}
          />
        </div>
      )}
    </Card>
  )
}

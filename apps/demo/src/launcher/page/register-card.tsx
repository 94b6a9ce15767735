import { Button, SimpleGrid, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Card, CodeText, Problem } from '@service-link/ui'
import { useMutation } from '@tanstack/react-query'
import { parseResponse } from 'hono/client'
import { ask } from '../ask.ts'
import { plainRegistration } from '../presets.ts'
import { sentenceOf, t } from './texts.ts'

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
    <Card title={t('register.title')} fold="register">
      <form onSubmit={form.onSubmit(values => registering.mutate(values))}>
        <Textarea
          label={t('register.key')}
          description={t('register.keyAbout')}
          size="xs"
          rows={6}
          required
          styles={{ input: { fontFamily: 'monospace' } }}
          {...form.getInputProps('key')}
        />
        <SimpleGrid cols={2} spacing="xs" style={{ alignItems: 'end' }}>
          <TextInput label="kid" size="xs" placeholder={t('register.kid')} {...form.getInputProps('kid')} />
          <TextInput
            label="iss"
            size="xs"
            placeholder={t('register.issuer')}
            {...form.getInputProps('issuer')}
          />
        </SimpleGrid>
        <Switch
          size="xs"
          mt="xs"
          label={t('register.repeatable')}
          {...form.getInputProps('repeatable', { type: 'checkbox' })}
        />
        <Button type="submit" size="xs" my="xs">
          {t('register.button')}
        </Button>
      </form>
      <Problem text={error ? sentenceOf(error) : undefined} />
      {registered && (
        <div role="status">
          <Text size="sm">{t('register.done')}</Text>
          <CodeText
            label={t('register.names')}
            testId="registered"
            text={`iss  ${registered.issuer}\nkid  ${registered.kid ?? t('register.noKid')}\naud  ${registered.audience}`}
          />
        </div>
      )}
    </Card>
  )
}

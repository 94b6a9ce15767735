import { Switch, Textarea, TextInput } from '@mantine/core'
import { payloadAlgorithms } from '@service-link/jwt-payload'
import { Card, Problem } from '@service-link/ui'
import { keyChoices, type Launch, leftOutNames } from '../launch.ts'
import { type Field, Fields, type LaunchForm } from './fields.tsx'
import type { LaunchKey, TypedKeys } from './keys.ts'
import { t } from './texts.ts'

interface SigningCardProps {
  readonly form: LaunchForm
  readonly launchKey: LaunchKey | undefined
  /** Why there is no key. */
  readonly problem: string | undefined
  readonly typed: TypedKeys
  readonly onType: (typed: TypedKeys) => void
  readonly canRegister: boolean
}

const keyFields = (): readonly Field[] => [
  {
    path: 'algorithm',
    label: t('signature.algorithm'),
    kind: 'choice',
    data: [...payloadAlgorithms, 'none'],
  },
  {
    path: 'key',
    label: t('signature.key'),
    kind: 'choice',
    data: keyChoices.map(value => ({ value, label: t(`signature.keys.${value}`) })),
  },
]

const nameFields = (launch: Launch, key: LaunchKey | undefined): readonly Field[] => [
  { path: 'keyId', label: 'kid', placeholder: key?.keyId ?? t('signature.none') },
  { path: 'issuer', label: 'iss', placeholder: t('signature.ofRegistration') },
  { path: 'audience', label: 'aud', placeholder: launch.address },
  { path: 'tokenId', label: 'jti', placeholder: t('signature.newUuid') },
  { path: 'skewSeconds', label: t('signature.ahead'), kind: 'number' },
  { path: 'livesSeconds', label: t('signature.lives'), kind: 'number' },
  { path: 'leftOut', label: t('signature.leaveOut'), kind: 'choices', data: leftOutNames },
]

/** Algorithm, key, names and times. */
export function SigningCard({ form, launchKey, problem, typed, onType, canRegister }: SigningCardProps) {
  const { values } = form
  return (
    <Card title={t('signature.title')}>
      <Fields form={form} fields={keyFields()} />
      {values.key === 'pasted' && (
        <Textarea
          label={t('signature.pasted')}
          description={t('signature.pastedAbout')}
          size="xs"
          rows={5}
          styles={{ input: { fontFamily: 'monospace' } }}
          value={typed.pasted}
          onChange={({ currentTarget }) => onType({ ...typed, pasted: currentTarget.value })}
          data-testid="pasted-key"
        />
      )}
      {values.key === 'secret' && (
        <TextInput
          label={t('signature.secret')}
          description={t('signature.secretAbout')}
          size="xs"
          value={typed.secret}
          onChange={({ currentTarget }) => onType({ ...typed, secret: currentTarget.value })}
        />
      )}
      <Problem text={problem} />
      {canRegister && launchKey?.publicText !== undefined && (
        <Switch
          size="xs"
          label={t('signature.register')}
          {...form.getInputProps('isRegistered', { type: 'checkbox' })}
        />
      )}
      <Fields form={form} fields={nameFields(values, launchKey)} />
    </Card>
  )
}

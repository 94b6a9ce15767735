import { Switch, Textarea, TextInput } from '@mantine/core'
import { payloadAlgorithms } from '@service-link/jwt-payload'
import { Card, Problem } from '@service-link/ui'
import { type Launch, leftOutNames } from '../launch.ts'
import { type Field, Fields, type LaunchForm } from './fields.tsx'
import type { LaunchKey, TypedKeys } from './keys.ts'

interface SigningCardProps {
  readonly form: LaunchForm
  readonly launchKey: LaunchKey | undefined
  /** Why there is no key. */
  readonly problem: string | undefined
  readonly typed: TypedKeys
  readonly onType: (typed: TypedKeys) => void
  readonly canRegister: boolean
}

const keyNames: Readonly<Record<Launch['key'], string>> = {
  registered: 'The journal’s, registered (ES256)',
  generated: 'A new one, made by this page',
  secret: 'A shared secret',
  wrong: 'Another one under the registered kid',
  pasted: 'One of mine: paste a private key',
}

const keyFields: readonly Field[] = [
  { path: 'algorithm', label: 'Algorithm', kind: 'choice', data: [...payloadAlgorithms, 'none'] },
  {
    path: 'key',
    label: 'Key',
    kind: 'choice',
    data: Object.entries(keyNames).map(([value, label]) => ({ value, label })),
  },
]

const nameFields = (launch: Launch, key: LaunchKey | undefined): readonly Field[] => [
  { path: 'keyId', label: 'kid', placeholder: key?.keyId ?? 'none' },
  { path: 'issuer', label: 'iss', placeholder: 'that of the registration' },
  { path: 'audience', label: 'aud', placeholder: launch.address },
  { path: 'tokenId', label: 'jti', placeholder: 'a new UUID each time' },
  { path: 'skewSeconds', label: 'Signing clock is ahead, s', kind: 'number' },
  { path: 'livesSeconds', label: 'From iat to exp, s', kind: 'number' },
  { path: 'leftOut', label: 'Leave out', kind: 'choices', data: leftOutNames },
]

/** Algorithm, key, names and times. */
export function SigningCard({ form, launchKey, problem, typed, onType, canRegister }: SigningCardProps) {
  const { values } = form
  return (
    <Card title="Signature">
      <Fields form={form} fields={keyFields} />
      {values.key === 'pasted' && (
        <Textarea
          label="Private key"
          description="PKCS#8 as PEM, or a JSON Web Key. It stays in this page: no link and no server gets it."
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
          label="Secret"
          description="Base64url, at least 32 bytes. No link gets it."
          size="xs"
          value={typed.secret}
          onChange={({ currentTarget }) => onType({ ...typed, secret: currentTarget.value })}
        />
      )}
      <Problem text={problem} />
      {canRegister && launchKey?.publicText !== undefined && (
        <Switch
          size="xs"
          label="Register this key before the post"
          {...form.getInputProps('isRegistered', { type: 'checkbox' })}
        />
      )}
      <Fields form={form} fields={nameFields(values, launchKey)} />
    </Card>
  )
}

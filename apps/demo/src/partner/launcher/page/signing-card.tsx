import {
  Alert,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import type { useForm } from '@mantine/form'
import { payloadAlgorithms } from '@service-link/jwt-payload'
import { type Launch, leftOutNames, plainRegistration } from '../launch.ts'
import type { LaunchKey, TypedKeys } from './keys.ts'

interface SigningCardProps {
  readonly form: ReturnType<typeof useForm<Launch>>
  readonly launchKey: LaunchKey | undefined
  /** Why there is no key. */
  readonly problem: string | undefined
  readonly typed: TypedKeys
  readonly onType: (typed: TypedKeys) => void
  readonly canRegister: boolean
}

const keyNames: Readonly<Record<Launch['key'], string>> = {
  registered: 'The journal’s, which is registered (ES256)',
  generated: 'A new one, made by this page',
  secret: 'A shared secret',
  wrong: 'Another key under the registered kid',
  pasted: 'One of mine: paste a private key',
}

/** Algorithm, key, names and times. */
export function SigningCard({ form, launchKey, problem, typed, onType, canRegister }: SigningCardProps) {
  const { values, getInputProps } = form
  const needsRegistration = launchKey?.publicText !== undefined
  return (
    <Stack gap="xs" component="section" className="card launcher-card" aria-labelledby="signing-title">
      <Title order={2} id="signing-title">
        Signature
      </Title>
      <SimpleGrid cols={2} spacing="xs" verticalSpacing={6}>
        <Select
          label="Algorithm"
          size="xs"
          data={[...payloadAlgorithms, { value: 'none', label: 'none (not signed)' }]}
          allowDeselect={false}
          {...getInputProps('algorithm')}
          data-testid="algorithm"
        />
        <Select
          label="Key"
          size="xs"
          data={Object.entries(keyNames).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          {...getInputProps('key')}
          data-testid="key"
        />
      </SimpleGrid>
      {values.key === 'pasted' && (
        <Textarea
          label="Private key"
          description="PKCS#8 as PEM, or a JSON Web Key. It stays in this page: no link and no server gets it."
          size="xs"
          autosize
          minRows={3}
          maxRows={8}
          classNames={{ input: 'code-input' }}
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
      {problem !== undefined && (
        <Alert color="red" p="xs" role="alert">
          {problem}
        </Alert>
      )}
      {needsRegistration && canRegister && (
        <Switch
          size="xs"
          label="Register this key at the demo’s service for an hour, before the post"
          checked={values.registration !== undefined}
          onChange={({ currentTarget }) =>
            form.setFieldValue('registration', currentTarget.checked ? plainRegistration : undefined)
          }
          data-testid="registers"
        />
      )}
      <SimpleGrid cols={2} spacing="xs" verticalSpacing={6}>
        <TextInput
          label="kid"
          size="xs"
          placeholder={launchKey?.keyId ?? 'none'}
          {...getInputProps('keyId')}
        />
        <TextInput
          label="iss"
          size="xs"
          placeholder="that of the registration"
          {...getInputProps('issuer')}
        />
        <TextInput label="aud" size="xs" placeholder={values.address} {...getInputProps('audience')} />
        <TextInput label="jti" size="xs" placeholder="a new UUID each time" {...getInputProps('tokenId')} />
        <NumberInput label="Signing clock is ahead by, s" size="xs" {...getInputProps('skewSeconds')} />
        <NumberInput label="From iat to exp, s" size="xs" {...getInputProps('livesSeconds')} />
        <NumberInput
          label="From iat to nbf, s"
          size="xs"
          placeholder="no nbf"
          value={values.notBeforeSeconds ?? ''}
          onChange={value =>
            form.setFieldValue('notBeforeSeconds', typeof value === 'number' ? value : undefined)
          }
        />
        <MultiSelect
          label="Leave out"
          size="xs"
          data={leftOutNames}
          placeholder={values.leftOut.length === 0 ? 'nothing' : undefined}
          {...getInputProps('leftOut')}
        />
      </SimpleGrid>
    </Stack>
  )
}

import {
  Fieldset,
  Group,
  JsonInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TextInput,
  Title,
} from '@mantine/core'
import { claimNames } from '@service-link/protocol-core/person'
import { useState } from 'react'
import type { Launch } from '../launch.ts'

interface ClaimsCardProps {
  readonly claims: Launch['claims']
  readonly onChange: (claims: Launch['claims']) => void
}

const groups = [
  { title: 'Organization', names: claimNames.payload.filter(name => name.startsWith('organization')) },
  { title: 'Employee', names: claimNames.payload.filter(name => name.startsWith('employee')) },
  { title: 'Contact', names: claimNames.contact },
] as const

/** The claims as a form and as JSON: two views of one value. */
export function ClaimsCard({ claims, onChange }: ClaimsCardProps) {
  const [view, setView] = useState('form')
  return (
    <Stack gap="sm" component="section" className="card launcher-card" aria-labelledby="claims-title">
      <Group justify="space-between">
        <Title order={2} id="claims-title">
          Claims
        </Title>
        <SegmentedControl
          aria-label="View of the claims"
          size="xs"
          value={view}
          onChange={setView}
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {view === 'form' ? (
        <ClaimsForm claims={claims} onChange={onChange} />
      ) : (
        <ClaimsJson claims={claims} onChange={onChange} />
      )}
    </Stack>
  )
}

function ClaimsForm({ claims, onChange }: ClaimsCardProps) {
  const contact: Record<string, unknown> = Object(claims.contact)
  return groups.map(({ title, names }) => {
    const isContact = title === 'Contact'
    const owner: Record<string, unknown> = isContact ? contact : claims
    return (
      <Fieldset key={title} legend={title} variant="unstyled">
        <SimpleGrid cols={2} spacing="xs" verticalSpacing={6}>
          {names.map(name => (
            <TextInput
              key={name}
              size="xs"
              label={name}
              value={textOf(owner[name])}
              onChange={({ currentTarget: { value } }) => {
                // An empty field is a claim that is not there.
                const changed = { ...owner, [name]: value === '' ? undefined : value }
                onChange(isContact ? { ...claims, contact: changed } : changed)
              }}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    )
  })
}

/** Other values than text come from the JSON view. */
function textOf(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

function ClaimsJson({ claims, onChange }: ClaimsCardProps) {
  const [text, setText] = useState(() => JSON.stringify(claims, undefined, 2))
  const parsed = parseObject(text)
  return (
    <JsonInput
      aria-label="Claims as JSON"
      data-testid="claims-json"
      autosize
      minRows={12}
      maxRows={28}
      formatOnBlur
      classNames={{ input: 'code-input' }}
      value={text}
      error={parsed === undefined && 'This is no JSON object. The token keeps the last one that was.'}
      onChange={value => {
        setText(value)
        const changed = parseObject(value)
        if (changed) onChange(changed)
      }}
    />
  )
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

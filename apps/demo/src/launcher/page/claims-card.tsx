import { Fieldset, JsonInput, SegmentedControl } from '@mantine/core'
import { claimNamesOf } from '@service-link/protocol-core/person'
import { Card } from '@service-link/ui'
import { useState } from 'react'
import { Fields, type LaunchForm } from './fields.tsx'
import { t } from './texts.ts'

const payloadNames = claimNamesOf('payload').filter(name => name !== 'contact')

const fieldsOf = (names: readonly string[], place: string) =>
  names.map(name => ({ path: `${place}.${name}`, label: name }))

const groups = {
  sender: fieldsOf(payloadNames, 'claims'),
  contact: fieldsOf(claimNamesOf('contact'), 'claims.contact'),
}

/** The claims as a form and as JSON: two views of one value. */
export function ClaimsCard({ form }: { readonly form: LaunchForm }) {
  const [view, setView] = useState('form')
  const views = (
    <SegmentedControl
      aria-label={t('claims.view')}
      size="xs"
      color="teal"
      value={view}
      onChange={setView}
      data={(['form', 'json'] as const).map(value => ({ value, label: t(`claims.${value}`) }))}
    />
  )
  return (
    <Card title={t('claims.title')} side={views}>
      {view === 'json' ? (
        <ClaimsJson form={form} />
      ) : (
        (['sender', 'contact'] as const).map(group => (
          <Fieldset key={group} legend={t(`claims.${group}`)} variant="unstyled">
            <Fields form={form} fields={groups[group]} />
          </Fieldset>
        ))
      )}
    </Card>
  )
}

function ClaimsJson({ form }: { readonly form: LaunchForm }) {
  const [text, setText] = useState(() => JSON.stringify(form.values.claims, undefined, 2))
  return (
    <JsonInput
      aria-label={t('claims.asJson')}
      data-testid="claims-json"
      autosize
      minRows={12}
      maxRows={28}
      styles={{ input: { fontFamily: 'monospace' } }}
      value={text}
      error={!parseObject(text) && t('claims.noObject')}
      onChange={value => {
        setText(value)
        const claims = parseObject(value)
        if (claims) form.setFieldValue('claims', claims)
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

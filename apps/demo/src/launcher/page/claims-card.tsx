import { Fieldset, JsonInput, SegmentedControl } from '@mantine/core'
import { claimNamesOf } from '@service-link/protocol-core/person'
import { Card } from '@service-link/ui'
import { useState } from 'react'
import { Fields, type LaunchForm } from './fields.tsx'

const payloadNames = claimNamesOf('payload').filter(name => name !== 'contact')

const groups = [
  { title: 'Organization and employee', paths: payloadNames.map(name => `claims.${name}`) },
  { title: 'Contact', paths: claimNamesOf('contact').map(name => `claims.contact.${name}`) },
].map(({ title, paths }) => ({
  title,
  fields: paths.map(path => ({ path, label: path.slice(path.lastIndexOf('.') + 1) })),
}))

/** The claims as a form and as JSON: two views of one value. */
export function ClaimsCard({ form }: { readonly form: LaunchForm }) {
  const [view, setView] = useState('Form')
  const views = (
    <SegmentedControl
      aria-label="View of the claims"
      size="xs"
      value={view}
      onChange={setView}
      data={['Form', 'JSON']}
    />
  )
  return (
    <Card title="Claims" side={views}>
      {view === 'JSON' ? (
        <ClaimsJson form={form} />
      ) : (
        groups.map(({ title, fields }) => (
          <Fieldset key={title} legend={title} variant="unstyled">
            <Fields form={form} fields={fields} />
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
      aria-label="Claims as JSON"
      data-testid="claims-json"
      autosize
      minRows={12}
      maxRows={28}
      styles={{ input: { fontFamily: 'monospace' } }}
      value={text}
      error={!parseObject(text) && 'This is no JSON object. The token keeps the last one that was.'}
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

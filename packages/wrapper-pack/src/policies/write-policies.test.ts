import { defineBrand, settingsTable } from '@service-link/protocol-core'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { writePolicies } from './write-policies.ts'

const brand = defineBrand({ name: 'Acme', vendor: 'Acme Health', displayName: 'Acme & Søn <3>' })
const files = writePolicies({ brand, version: '3.1.4.15' })
const template = files['Acme.Client.WebWrapper.admx'] ?? ''
const texts = files['en-US/Acme.Client.WebWrapper.adml'] ?? ''

interface Named {
  readonly [name: string]: unknown
  readonly id: string
  readonly valueName?: string
}
interface Policy extends Named {
  readonly name: string
  readonly enabledValue?: { readonly string: string }
  readonly disabledValue?: { readonly string: string }
  readonly elements?: {
    readonly text?: Named
    readonly enum?: Named & { readonly item: readonly { readonly value: { readonly string: string } }[] }
  }
}

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false },
  isArray: (name: string) => ['policy', 'item', 'presentation'].includes(name),
})

test('the template has a policy for each setting, of the scope and with values that the wrapper reads', () => {
  expect([XMLValidator.validate(template), XMLValidator.validate(texts)]).toEqual([true, true])
  const policies: readonly Policy[] = parser.parse(template).policyDefinitions.policies.policy
  const table = Object.entries(settingsTable(brand))
  expect(policies.map(({ name }) => name)).toEqual(table.map(([name]) => name))
  for (const [index, [name, { scope, parse }]] of table.entries()) {
    const { enabledValue, disabledValue, elements, valueName, ...policy } = policies[index] ?? {}
    const key = String.raw`Software\Policies\Acme Health\Acme.Client.WebWrapper`
    expect(policy).toMatchObject({ key, class: scope === 'global' ? 'Machine' : 'Both' })
    expect([valueName, elements?.text?.valueName, elements?.enum?.valueName].filter(Boolean)).toEqual([name])
    const items = elements?.enum?.item.map(({ value }) => value.string) ?? []
    for (const text of [enabledValue?.string, disabledValue?.string, ...items])
      if (text !== undefined) expect(parse.safeParse(text).success, `${name}: ${text}`).toBe(true)
  }
})

test('each text and each field that the template names is there', () => {
  const { stringTable, presentationTable } = parser.parse(texts).policyDefinitionResources.resources
  const strings: readonly Named[] = stringTable.string
  const fields: readonly Named[] = presentationTable.presentation
  const known = [...strings.map(({ id }) => `string.${id}`), ...fields.map(({ id }) => `presentation.${id}`)]
  const named = [...template.matchAll(/\$\((\w+\.\w+)\)/g)].map(([, id]) => id)
  expect(named.toSorted()).toEqual(known.toSorted())
  expect(strings[0]).toEqual({ id: 'Category', '#text': 'Acme & Søn <3>' })
})

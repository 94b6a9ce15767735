import { type SettingDefinition, settingsTable } from '@service-link/protocol-core'
import { policyKey } from '@service-link/wrapper-host/packing'
import { element, textElement } from '../msi/wxs-elements.ts'
import type { PackPlan } from '../pack-plan.ts'

/** Language of the texts, as the folder of group policy names it. */
const language = 'en-US'

/** The registry takes texts of this length by policy. */
const maxText = '1024'

/** A policy: a setting of the table. */
interface Policy extends Pick<SettingDefinition, 'summary' | 'scope' | 'defaultText'> {
  readonly name: string
  readonly choices: readonly string[]
}

/**
 * Writes the template by which administrators set a wrapper's settings as group policies: each row of the settings table is a policy.
 *
 * @returns file → content: `<application>.admx`, and its texts in the folder of their language
 */
export function writePolicies({
  brand,
  version,
}: Pick<PackPlan, 'brand' | 'version'>): Readonly<Record<string, string>> {
  const policies = Object.entries<SettingDefinition>(settingsTable(brand)).map(
    ([name, definition]): Policy => ({ ...definition, name, choices: definition.choices ?? [] }),
  )
  const revision = version.split('.').slice(0, 2).join('.')
  const root = {
    'xmlns:xsd': 'http://www.w3.org/2001/XMLSchema',
    xmlns: 'http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions',
    schemaVersion: '1.0',
  }
  const { application, displayName } = brand
  // Prefix and namespace must be this brand's alone: the editor reads the templates of all makers together.
  const namespace = `${brand.vendor.replaceAll(' ', '')}.${application}.Policies`
  const template = element('policyDefinitions', { ...root, revision }, [
    ...element('policyNamespaces', {}, element('target', { prefix: 'wrapper', namespace })),
    ...element('resources', { minRequiredRevision: revision }),
    ...element(
      'supportedOn',
      {},
      element(
        'definitions',
        {},
        element('definition', { name: 'SupportedOn', displayName: '$(string.SupportedOn)' }),
      ),
    ),
    ...element('categories', {}, element('category', { name: 'Wrapper', displayName: '$(string.Category)' })),
    ...element(
      'policies',
      {},
      policies.flatMap(policy => policyElement(policy, policyKey(brand))),
    ),
  ])
  const strings = [
    ['Category', displayName],
    ['SupportedOn', `${displayName} ${version} and later`],
    ...policies.flatMap(stringsOf),
  ] as const
  const texts = element('policyDefinitionResources', { ...root, revision }, [
    ...textElement('displayName', {}, displayName),
    ...textElement('description', {}, `Settings of ${displayName}.`),
    ...element('resources', {}, [
      ...element(
        'stringTable',
        {},
        strings.flatMap(([id, text]) => textElement('string', { id }, text)),
      ),
      ...element('presentationTable', {}, policies.flatMap(presentationOf)),
    ]),
  ])
  return {
    [`${application}.admx`]: fileOf(template),
    [`${language}/${application}.adml`]: fileOf(texts),
  }
}

const isSwitch = ({ choices }: Policy) => choices.length === 2

function policyElement(policy: Policy, key: string): readonly string[] {
  const { name, scope, choices } = policy
  const attributes = {
    ...{ name, class: scope === 'global' ? 'Machine' : 'Both' },
    ...{ displayName: `$(string.${name})`, explainText: `$(string.${name}_Help)`, key },
  }
  const place = [
    ...element('parentCategory', { ref: 'Wrapper' }),
    ...element('supportedOn', { ref: 'SupportedOn' }),
  ]
  const value = (text: string) => textElement('string', {}, text)
  if (isSwitch(policy)) {
    const [on = '', off = ''] = choices
    return element('policy', { ...attributes, valueName: name }, [
      ...place,
      ...element('enabledValue', {}, value(on)),
      ...element('disabledValue', {}, value(off)),
    ])
  }
  const items = choices.flatMap(choice =>
    element('item', { displayName: `$(string.${name}_${choice})` }, element('value', {}, value(choice))),
  )
  const asked = { id: name, valueName: name, required: 'true' }
  const field =
    items.length > 0 ? element('enum', asked, items) : element('text', { ...asked, maxLength: maxText })
  return element('policy', { ...attributes, presentation: `$(presentation.${name})` }, [
    ...place,
    ...element('elements', {}, field),
  ])
}

function stringsOf({ name, summary, scope, defaultText, choices }: Policy): (readonly [string, string])[] {
  const more = [
    defaultText === '' ? '' : `Without a policy or a setting: ${defaultText}.`,
    scope === 'global' ? '' : 'The policy of the computer counts before that of the user.',
  ]
  return [
    [name, name],
    [`${name}_Help`, [`${summary}.`, ...more].filter(Boolean).join(' ')],
    ...(choices.length > 2 ? choices.map(choice => [`${name}_${choice}`, choice] as const) : []),
  ]
}

function presentationOf(policy: Policy): readonly string[] {
  const { name, choices } = policy
  if (isSwitch(policy)) return []
  const field =
    choices.length > 0
      ? textElement('dropdownList', { refId: name, noSort: 'true' }, name)
      : element('textBox', { refId: name }, textElement('label', {}, name))
  return element('presentation', { id: name }, field)
}

function fileOf(lines: readonly string[]): string {
  return ['<?xml version="1.0" encoding="utf-8"?>', ...lines, ''].join('\r\n')
}

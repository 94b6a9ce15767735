import type { Traffic } from '@service-link/protocol-core'
import { fieldsIn, personFields } from '@service-link/protocol-core/person'

/** Stands for a value that is hidden. */
export const hidden = '•••'

const fold = (name: string) => name.toLowerCase().replaceAll('_', '')

/** Names of a person's fields in every transport, as replies spell them too, and of the people of a workout. */
const personalNames = new Set(
  [
    ...Object.keys(personFields),
    ...(['contact', 'arguments', 'xml', 'pipe'] as const).flatMap(transport =>
      fieldsIn(transport).map(({ name }) => name),
    ),
    ...['owner', 'executor', 'ownerName', 'executorName'],
  ].map(fold),
)
// Also the number of a request and of a workout. It counts as a person's beside a name.
personalNames.delete('id')

/** Arguments of a launch without personal data. */
const plainArgument = /^(provider|wait|openworkout|query\w+|payload)=|^[^=]*\.xml$/i

/** Whether a message may be shown whole, or what may be shown of it. */
export function hidePersonal({
  text,
  base64,
  kind,
  direction,
}: Pick<Traffic, 'text' | 'base64' | 'kind' | 'direction'>): {
  readonly text: string
  readonly isHidden: boolean
} {
  if (text == null) return { text: '', isHidden: base64 != null }
  if (text === '') return { text, isHidden: false }
  const isSentence = kind === 'launch' && direction === 'out'
  const shown = isSentence ? text : (hideInJson(text) ?? hideInXml(text))
  return {
    text: shown ?? 'Only whole JSON and XML can be shown without personal data.',
    isHidden: shown !== text,
  }
}

function hideInJson(text: string): string | undefined {
  if (/^[\d.]+$/.test(text)) return text
  let isChanged = false
  const hide = (value: unknown, name = ''): unknown => {
    if (name === 'argv' && Array.isArray(value)) return value.map(hideArgument)
    if (Array.isArray(value)) return value.map(entry => hide(entry))
    if (typeof value !== 'object' || value === null) return value
    const names = Object.keys(value).map(fold)
    const isPerson = names.some(member => member === 'firstname' || member === 'lastname')
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => {
        const isPersonal = personalNames.has(fold(member)) || (isPerson && fold(member) === 'id')
        if (!isPersonal || inner === null) return [member, hide(inner, member)]
        isChanged = true
        return [member, hidden]
      }),
    )
  }
  const hideArgument = (argument: unknown) => {
    if (typeof argument !== 'string' || plainArgument.test(argument)) return argument
    isChanged = true
    return argument.includes('=') ? `${argument.slice(0, argument.indexOf('=') + 1)}${hidden}` : hidden
  }
  try {
    const shown = JSON.stringify(hide(JSON.parse(text)))
    return isChanged ? shown : text
  } catch {
    return undefined
  }
}

function hideInXml(text: string): string | undefined {
  if (!/^[\s﻿]*</.test(text)) return undefined
  return text.replaceAll(/>[^<]*[^<\s][^<]*</g, `>${hidden}<`)
}

import {
  argsFromPerson,
  fieldsIn,
  type PayloadClaims,
  type Person,
  personFromContact,
  type SelectablePerson,
} from '@service-link/protocol-core'
import type { PatientField, Travelled } from '../home/demo-state.ts'

type Names = ReadonlyMap<string, PatientField>

const namesIn = (transport: 'contact' | 'pipe'): Names =>
  new Map(fieldsIn(transport).map(({ name, field }) => [name, field]))

/** Claims of a signed payload. */
export const travelledByLink = (claims: Pick<PayloadClaims, 'contact'>): Travelled =>
  travelled(claims, namesIn('contact'), rowsOf(personFromContact(claims.contact)))

/** The frame of `selectperson`. */
export const travelledByPipe = (person: SelectablePerson): Travelled =>
  travelled({ Method: 'selectperson', Args: argsFromPerson(person) }, namesIn('pipe'), rowsOf(person))

/** Claims of an ID token. */
export function travelledByLogIn(claims: { readonly name?: unknown; readonly ssn?: unknown }): Travelled {
  const names: Names = new Map([
    ['name', 'name'],
    ['ssn', 'ssn'],
  ])
  const { name, ssn } = claims
  return travelled(claims, names, [
    { field: 'name', value: String(name) },
    { field: 'ssn', value: String(ssn) },
  ])
}

function rowsOf({ profileData = [], ...fields }: Person): Travelled['patient'] {
  const texts = Object.entries(fields).map(([field, value]) => ({ field: field as PatientField, value }))
  const measured = profileData.map(({ key, name, value, unit }) => ({
    field: 'profileData' as const,
    value: `${name ?? key}: ${[value, unit].filter(Boolean).join(' ')}`,
  }))
  return [...texts, ...measured].map(({ field, value }) => ({ field, value: String(value) }))
}

function travelled(sent: object, names: Names, patient: Travelled['patient']): Travelled {
  const arrived = new Set(patient.map(({ field }) => field))
  let list: { readonly field: PatientField | undefined; readonly end: string } | undefined
  const lines = JSON.stringify(sent, null, 2).replace(entries, onOneLine).split('\n')
  return {
    sent: lines.map(text => {
      const [, indent = '', name = ''] = /^( *)"(\w+)": /.exec(text) ?? []
      const named = names.get(name)
      const field = list ? list.field : named && arrived.has(named) ? named : undefined
      if (!list && text.endsWith('[')) list = { field, end: `${indent}]` }
      else if (list && text.startsWith(list.end)) list = undefined
      return { text: masked(text), field }
    }),
    patient: patient.map(({ field, value }) => ({ field, value: masked(value) })),
  }
}

/** Objects in a list. */
const entries = /^ {6}\{[^}]*\}/gm

const onOneLine = (entry: string) => entry.replace(/\n\s*/g, ' ')

/** Without the digits that tell people of one birthday apart. */
const masked = (text: string) => text.replace(/\b(\d{6})\d{5}\b/g, '$1 •••••')

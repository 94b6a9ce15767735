import { readdirSync, readFileSync } from 'node:fs'
import {
  type PersonField,
  type PersonTransport,
  payloadSchema,
  personFields,
  settingsTable,
  wrapperRecordSchema,
} from '../src/index.ts'
import { defaultBrand } from '../src/wrapper/brand.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { tableOf } from './markdown-table.ts'

/** Makes each table or list that a page of `docs/reference/` has between `<!-- generated: name -->` and `<!-- end -->`. */
const tables: Readonly<Record<string, () => string>> = {
  'person fields': personTable,
  claims: () =>
    tableOf(
      ['claim', 'required', 'meaning'],
      rowsOf(payloadSchema).filter(([name = '']) => !name.startsWith('`contact.')),
    ),
  settings: settingRows,
  'wrapper record': () =>
    rowsOf(wrapperRecordSchema)
      .map(([name, , meaning]) => `- ${name}: ${meaning}\n`)
      .join(''),
}

const transports = ['contact', 'arguments', 'xml', 'pipe'] as const

const titles: Readonly<Record<PersonTransport, string>> = {
  contact: 'partner link',
  arguments: 'command line',
  xml: 'XML file',
  pipe: 'pipe',
}

/** The fields of a person with their names everywhere. Bold: required; the brand decides on those with a star. */
function personTable(): string {
  const rows = Object.entries<PersonField>(personFields).map(([field, row]) => [
    `\`${field}\``,
    ...transports.map(transport => nameIn(transport, field, row)),
    meaningOf(row),
  ])
  const [contact, ...others] = transports.map(transport => titles[transport])
  return tableOf(['in programs', `${contact}, \`contact.…\``, ...others, 'meaning'], rows)
}

function nameIn(transport: PersonTransport, field: string, row: PersonField): string {
  const name = row[transport]
  if (name === undefined) return ''
  const isOfBrand = transport === 'arguments' || transport === 'xml'
  const isBrands = isOfBrand && defaultBrand.requiredPerson.some(required => required === field)
  const isAlways = row.required?.includes(transport) || (field === 'customId' && transport !== 'pipe')
  return isAlways ? `**\`${name}\`**` : isBrands ? `**\`${name}\`***` : `\`${name}\``
}

/** The meaning, then each note with its transports. Dates have a section of their own, to which the page links. */
function meaningOf({ about, notes = {}, ...row }: PersonField): string {
  if (row.kind === 'date') return about
  const said = Map.groupBy(
    transports.filter(transport => row[transport] && notes[transport]),
    transport => notes[transport],
  )
  const told = [...said].map(([note, places]) => `${places.map(place => titles[place]).join(', ')}: ${note}`)
  return [about, ...told].join('; ')
}

function settingRows(): string {
  const rows = Object.entries(settingsTable(defaultBrand)).map(([name, { scope, defaultText, summary }]) => {
    const value = defaultText && `, \`${defaultText}\``
    return `- \`${name}\` (${scope}${value}): ${summary}\n`
  })
  return rows.join('')
}

function rowsOf(schema: Parameters<typeof jsonSchemaOf>[0]): string[][] {
  const node = jsonSchemaOf(schema)
  return membersOf(node, '')
}

type Node = ReturnType<typeof jsonSchemaOf>

function membersOf({ properties = {}, required = [] }: Node, place: string): string[][] {
  return Object.entries(properties).flatMap(([name, member]) => {
    if (typeof member === 'boolean') return []
    const { description = '' } = member
    const row = [`\`${place}${name}\``, required.includes(name) ? 'yes' : 'no', description]
    return [row, ...membersOf(member, `${place}${name}.`)]
  })
}

const folder = new URL('../../../docs/reference/', import.meta.url)

/**
 * The pages with generated tables, up to date.
 *
 * @throws when a page names a table that nothing makes
 */
export function pagesWithTables(): { readonly name: string; readonly url: URL; readonly text: string }[] {
  return readdirSync(folder).flatMap(name => {
    const url = new URL(name, folder)
    const page = readFileSync(url, 'utf8')
    const text = page.replace(
      /(<!-- generated: (.+) -->\n)[\s\S]*?(\n<!-- end -->)/g,
      (_, start: string, table: string, end: string) => `${start}\n${tables[table]?.()}${end}`,
    )
    return page.includes('<!-- generated: ') ? [{ name: `docs/reference/${name}`, url, text }] : []
  })
}

import { readdirSync, readFileSync } from 'node:fs'
import {
  describeField,
  fieldsIn,
  type PersonTransport,
  payloadSchema,
  settingsTable,
  wrapperRecordSchema,
} from '../src/index.ts'
import { defaultBrand } from '../src/wrapper/brand.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { tableOf } from './markdown-table.ts'

/** Makes each table that a page of `docs/reference/` has between `<!-- generated: name -->` and `<!-- end -->`. */
const tables: Readonly<Record<string, () => string>> = {
  'person arguments': () => personTable('argument', 'arguments'),
  'person elements': () => personTable('element', 'xml'),
  claims: () => tableOf(['claim', 'required', 'meaning'], rowsOf(payloadSchema)),
  settings: settingRows,
  'wrapper record': () =>
    tableOf(
      ['member', 'meaning'],
      rowsOf(wrapperRecordSchema).map(([name = '', , meaning = '']) => [name, meaning]),
    ),
}

/** The brand decides on all but the id. */
function personTable(head: string, transport: PersonTransport): string {
  const { requiredPerson } = defaultBrand
  const rows = fieldsIn(transport).map(row => {
    const isRequired = requiredPerson.some(field => field === row.field)
    const required = isRequired ? (row.field === 'customId' ? 'yes' : 'yes*') : 'no'
    return [`\`${row.name}\``, required, describeField(row, transport)]
  })
  return tableOf([head, 'required', 'meaning'], rows)
}

function settingRows(): string {
  const rows = Object.entries(settingsTable(defaultBrand)).map(([name, { scope, defaultText, summary }]) => [
    `\`${name}\``,
    scope,
    defaultText && `\`${defaultText}\``,
    summary,
  ])
  return tableOf(['setting', 'scope', 'default', 'meaning'], rows)
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

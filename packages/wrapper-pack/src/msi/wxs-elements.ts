import { createHash } from 'node:crypto'
import { nameGuid } from '../brand/name-guid.ts'

/** Attributes of an element. Those that are `undefined` are left out. */
type Attributes = Readonly<Record<string, string | undefined>>

/** Writes an element of an installer's source, with the lines of its content. */
export function element(
  name: string,
  attributes: Attributes = {},
  content: readonly string[] = [],
): readonly string[] {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escapeXml(value)}"`,
  )
  const start = `<${name}${written.join('')}`
  if (content.length === 0) return [`${start}/>`]
  return [`${start}>`, ...content.map(line => `  ${line}`), `</${name}>`]
}

/** An element with text only, on one line: white space would be part of the text. */
export function textElement(name: string, attributes: Attributes, text: string): readonly string[] {
  const [start = ''] = element(name, attributes)
  return [`${start.slice(0, -2)}>${escapeXml(text)}</${name}>`]
}

/** Windows Installer replaces `[…]` by properties in some columns of its tables. */
export function escapeProperties(text: string): string {
  return text.replaceAll(/[[\]{}]/g, '[\\$&]')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => entities[character] ?? character)
}

/** The text of an attribute that {@link element} has written. */
export function unescapeXml(text: string): string {
  const characters = Object.fromEntries(
    Object.entries(entities).map(([character, entity]) => [entity, character]),
  )
  return text.replaceAll(/&\w+;/g, entity => characters[entity] ?? entity)
}

interface DirectoryOptions {
  readonly upgradeCode: string
  /** Paths relative to the folder of the installation, with `/`. */
  readonly files: readonly string[]
  /** File → its name after the installation. */
  readonly renamed: ReadonlyMap<string, string>
  /** File → its id, and elements inside its element. */
  readonly special: ReadonlyMap<string, { readonly id: string; readonly content: readonly string[] }>
}

interface DirectoryElements {
  readonly directories: readonly string[]
  /** Ids of all components. */
  readonly components: readonly string[]
}

/**
 * Writes a component for each file. Its identity follows from its path, so it is the same in all versions. A folder is removed with
 * its last file, inner folders first.
 */
export function directoryElements(options: DirectoryOptions): DirectoryElements {
  const components: string[] = []
  return { directories: within('', [...options.files].sort(), options, components), components }
}

/** @param folder with a `/` at its end, or empty */
function within(
  folder: string,
  files: readonly string[],
  options: DirectoryOptions,
  components: string[],
): string[] {
  const rest = (file: string) => file.slice(folder.length).split('/')
  const own = files.filter(file => rest(file).length === 1)
  const below = new Set(files.filter(file => rest(file).length > 1).map(file => `${folder}${rest(file)[0]}/`))
  const removal = element('RemoveFolder', { Id: idOf('r', folder), On: 'uninstall' })
  return [
    ...[...below].flatMap(subfolder =>
      element(
        'Directory',
        { Id: idOf('d', subfolder), Name: subfolder.slice(folder.length, -1) },
        within(
          subfolder,
          files.filter(file => file.startsWith(subfolder)),
          options,
          components,
        ),
      ),
    ),
    ...own.flatMap((file, index) => {
      const content = fileElement(file, rest(file).join(''), options)
      return component(file, options, components, index === 0 ? [...content, ...removal] : content)
    }),
    // A component must not be empty.
    ...(own.length === 0
      ? component(folder, options, components, [...element('CreateFolder'), ...removal])
      : []),
  ]
}

function fileElement(file: string, name: string, { special, renamed }: DirectoryOptions) {
  return element(
    'File',
    {
      Id: special.get(file)?.id ?? idOf('f', file),
      Name: renamed.get(file) ?? name,
      Source: `$(var.Folder)/${file}`,
      KeyPath: 'yes',
    },
    special.get(file)?.content,
  )
}

function component(
  path: string,
  { upgradeCode }: DirectoryOptions,
  components: string[],
  content: readonly string[],
) {
  const id = idOf('c', path)
  components.push(id)
  // Names on Windows are case-insensitive.
  const guid = nameGuid(upgradeCode, `component:${path.toLowerCase()}`)
  return element('Component', { Id: id, Guid: guid, Win64: 'yes' }, content)
}

/** An id of Windows Installer: at most 72 letters, digits, dots and underscores. */
function idOf(kind: string, path: string): string {
  return `${kind}.${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
}

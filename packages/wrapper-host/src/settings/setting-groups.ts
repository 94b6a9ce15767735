import { type Brand, defaultBrand, settingsTable } from '@service-link/protocol-core'
import type { XmlElement } from '@service-link/xml-input'
import { oldNames } from './old-settings.ts'

/** Sections of .NET configuration that hold settings. */
export const sectionNames = ['applicationSettings', 'userSettings'] as const

/** A part of a file without effect. */
export interface SettingNotice {
  /** Name of the setting, or of the element that would hold settings. */
  readonly setting: string
  /** A clause without the value. */
  readonly problem: string
}

/** The groups of a section: those of the wrapper, and those of other libraries. */
interface SettingGroups {
  readonly own: readonly XmlElement[]
  readonly foreign: readonly XmlElement[]
}

function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter(child => child.name === name) ?? []
}

/** The names that mean something in a file of this brand. */
export function knownNames(brand: Brand): readonly string[] {
  return [...Object.keys(settingsTable(brand)), ...(brand.readsOldSettings ? oldNames : [])]
}

/** Ends of the names that .NET's designers give to a class of settings, behind the namespace of its program. */
const ofDesigner = /\.(?:Properties\.Settings|My\.MySettings)$/

/** The name that the wrapper's group should have. */
const exactName = ({ application }: Brand) => `${application}.Properties.Settings`

const behindMaker = (name: string) => name.replace(/^[^.]*\.?/, '')

/** Whether a group is named after the wrapper, also with an older maker's first word. */
function isNamed({ name }: XmlElement, brand: Brand): boolean {
  if (!ofDesigner.test(name)) return false
  const namespace = name.replace(ofDesigner, '')
  return [brand.application, defaultBrand.application].some(
    own => own === namespace || (behindMaker(own) !== '' && behindMaker(own) === behindMaker(namespace)),
  )
}

/**
 * Tells the wrapper's groups in each section from those of other libraries, which may use the same names. Ours is named after the
 * application, also with an older maker's first word; our own comes last, so that it counts. In a file without such a group, those
 * without a namespace count in each section, else those that .NET's designer has not named after another program.
 */
export function chooseGroups(
  configuration: XmlElement,
  brand: Brand,
): ReadonlyMap<(typeof sectionNames)[number], SettingGroups> {
  const sections = sectionNames.map(
    name => [name, childrenOf(configuration, name).flatMap(section => section.children)] as const,
  )
  const isOurs = (group: XmlElement) => isNamed(group, brand)
  const isExact = ({ name }: XmlElement) => name === exactName(brand)
  const rules = sections.some(([, groups]) => groups.some(isOurs)) ? [isOurs] : [hasNoNamespace, isByHand]
  return new Map(
    sections.map(([section, groups]) => {
      const isOwn = rules.find(rule => groups.some(rule)) ?? isOurs
      const own = groups.filter(isOwn).toSorted((a, b) => Number(isExact(a)) - Number(isExact(b)))
      return [section, { own, foreign: groups.filter(group => !isOwn(group)) }]
    }),
  )
}

const hasNoNamespace = ({ name }: XmlElement) => !name.includes('.')
const isByHand = ({ name }: XmlElement) => !ofDesigner.test(name)

/** The settings of a group, in the order of the file. */
export function settingElements(group: XmlElement): readonly XmlElement[] {
  return childrenOf(group, 'setting').filter(({ attributes }) => attributes.has('name'))
}

/**
 * Reads the text of a setting. .NET writes some values as XML: a simple one as one element, a list as one element an entry. Returns
 * the entries of a list with blanks between them; or why it cannot be read, as a clause.
 */
export function readValue(setting: XmlElement): string | { readonly problem: string } {
  const [value] = childrenOf(setting, 'value')
  const form = setting.attributes.get('serializeAs') ?? 'String'
  if (!/^(string|xml|providerspecific)$/i.test(form))
    return {
      problem: `is written as ${/^\w{1,20}$/.test(form) ? form : 'something'}, which is not read; write it as text`,
    }
  if (!value && setting.attributes.has('value'))
    return { problem: 'has its value in an attribute, which is not read; write <value>…</value>' }
  if (!value)
    return setting.children.length === 0
      ? ''
      : { problem: 'has no element <value>; its name is case-sensitive' }
  const [content, ...more] = value.children
  if (!content) return value.text
  const isSimple = more.length === 0 && content.children.every(({ children }) => children.length === 0)
  if (!isSimple) return { problem: 'is written as XML that is not read; write it as text' }
  const entries = content.children.length === 0 ? [content] : content.children
  return entries.map(({ text }) => text.trim()).join(' ')
}

/** Finds parts of a file that .NET would read, or that are meant as settings, and that are not read here. */
export function findUnread(
  configuration: XmlElement,
  brand: Brand,
  groups: ReturnType<typeof chooseGroups>,
): readonly SettingNotice[] {
  const notices: SettingNotice[] = []
  const ofWrapper = [...groups.values()].flatMap(({ own }) => own)
  const hasOwn = ofWrapper.some(group => settingElements(group).length > 0)
  const hasAddress = (group: XmlElement) =>
    settingElements(group).some(({ attributes }) => attributes.get('name') === 'AppUrl')
  const isClear = ofWrapper.some(group => isNamed(group, brand) || hasAddress(group))
  const rename = `name the wrapper’s group ${exactName(brand)}`
  const add = (setting: string, problem: string) => notices.push({ setting, problem })
  for (const location of childrenOf(configuration, 'location'))
    for (const name of sectionNames)
      if (childrenOf(location, name).length > 0)
        add(name, 'stands in <location>, which is not read; move it out of that element')
  for (const { name, children } of configuration.children) {
    const isMeant = ({ attributes }: XmlElement) => knownNames(brand).includes(attributes.get('key') ?? '')
    if (/^appSettings$/i.test(name) && children.some(isMeant))
      add(name, `is not read; write <setting> elements into applicationSettings, group ${exactName(brand)}`)
    const meant = sectionNames.find(section => section.toLowerCase() === name.toLowerCase())
    if (meant && meant !== name) add(name, `is not read; write ${meant}, because case counts`)
  }
  for (const section of sectionNames) {
    const loose = childrenOf(configuration, section).flatMap(({ children }) => children)
    if (loose.some(({ name, attributes }) => name === 'setting' && attributes.has('name')))
      add(section, `has settings outside a group, which are not read; put them into <${exactName(brand)}>`)
    const { own = [], foreign = [] } = groups.get(section) ?? {}
    const candidates = hasOwn ? own : [...own, ...foreign.filter(isClosed)]
    for (const element of [...childrenOf(configuration, section), ...candidates]) {
      const problem = closureOf(element)
      if (problem) add(element.name, problem)
    }
    for (const group of isClear ? [] : foreign)
      if (hasAddress(group)) add(group.name, `is the group of another library, and does not count; ${rename}`)
    for (const group of own) {
      if (group.name.includes('.') && !isNamed(group, brand))
        add(group.name, `is read as the wrapper’s group, though it is not named so; ${rename}`)
      for (const { name } of group.children)
        if (name !== 'setting' && name.toLowerCase() === 'setting')
          add(group.name, 'has an element that is not read; write <setting>, because case counts')
    }
  }
  return notices
}

const isClosed = (element: XmlElement) => closureOf(element) !== undefined

/** Why the settings of an element cannot be read where it stands. */
function closureOf({ attributes, children }: XmlElement): string | undefined {
  if (attributes.has('configSource'))
    return 'is kept in another file (configSource), which is not read; write its settings here'
  if (
    attributes.has('configProtectionProvider') ||
    children.some(({ name }) => /^(\w+:)?EncryptedData$/.test(name))
  )
    return 'is encrypted, and is not read; write its settings as plain text'
  return undefined
}

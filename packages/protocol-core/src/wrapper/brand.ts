import { assertParameter, ParameterError, type ParameterKind } from '../errors/parameter-error.ts'
import type { PersonFieldName } from '../person/person-fields.ts'
import {
  type BrandOptions,
  type BuiltInProvider,
  builtInProviders,
  checkBrandOptions,
  checkTypeNames,
} from './brand-options.ts'
import { foldTypeName } from './type-name.ts'

export { BrandError, type BrandOptions, type BuiltInProvider } from './brand-options.ts'
export { foldTypeName, readTypeName, type TypeName } from './type-name.ts'
export {
  FolderVariableError,
  folderVariable,
  installFileName,
  loginDisplay,
  systemProgram,
  systemRoot,
  unixPipeFolder,
  wrapperUserFolder,
} from './user-folder.ts'

/** Everything that carries the maker's brand. No other file of this project spells such a name. */
export interface Brand {
  readonly name: string
  readonly vendor: string
  readonly application: string
  readonly displayName: string
  /** `#rrggbb` */
  readonly color: string
  /** File name of the executable on Windows. */
  readonly executable: string
  /** File name of the default configuration in the application root (spec 2.2). */
  readonly configFile: string
  /** Name of the application for the taskbar of Windows: its windows, shortcuts and notices have it. No spaces, at most 128 characters. */
  readonly applicationId: string
  readonly pipePrefix: string
  readonly xmlRoot: string
  /** Below the current user's hive; values `path` and `version` (spec 4.2). */
  readonly registryKey: string
  /** The type names, `<Type>, <Assembly>`, by which a launch or a setting chooses a provider. */
  readonly providers: Readonly<Record<BuiltInProvider, string>>
  /** Further type names of each provider. */
  readonly providerAliases: Readonly<Record<BuiltInProvider, readonly string[]>>
  /** Default of the setting `ProtocolProvider`. */
  readonly defaultProvider: BuiltInProvider
  readonly appUrl: string
  readonly updateUrl: string
  /** Fields that each person of a command line or an XML file must have. */
  readonly requiredPerson: readonly PersonFieldName['field'][]
  /** Values of the setting `BrowserEngine` that mean the default engine. */
  readonly defaultEngines: readonly string[]
  /** Whether the names of older wrappers' settings count. */
  readonly readsOldSettings: boolean
}

/**
 * Derives every branded name from a few (design: brand). The default is the neutral word of the specification.
 *
 * @throws {ParameterError} when an option is not known or is of another kind
 * @throws {BrandError} when a name could not be a file, pipe, element, registry key or type name, or a list not be such a list
 * @example
 * ```ts
 * import { defineBrand } from '@service-link/protocol-core/brand'
 *
 * const brand = defineBrand({ name: 'Acme', vendor: 'Acme Health', appUrl: 'https://app.acme.example/' })
 * brand.executable // 'Acme.Client.WebWrapper.exe'
 * ```
 */
export function defineBrand(options: BrandOptions = {}): Brand {
  checkBrandOptions(options)
  const brand = brandOf(options)
  if (options.providers)
    checkTypeNames([...Object.values(brand.providers), ...Object.values(brand.providerAliases).flat()])
  return brand
}

function brandOf(options: BrandOptions): Brand {
  const {
    name = 'Service',
    vendor = name,
    application = `${name}.Client.WebWrapper`,
    displayName = name,
    color = '#2563a8',
    pipePrefix = `${name.toLowerCase()}pipe`,
    xmlRoot = `${name.toLowerCase()}input`,
    registryKey = `Software\\${vendor}\\${application}`,
    defaultProvider = 'legacyXml',
    appUrl = '{app_url}',
    updateUrl = '{webwrapper_site}',
    requiredPerson = ['customId', 'firstname', 'lastname', 'dateOfBirth'],
    defaultEngines = [],
    readsOldSettings = true,
  } = options
  const typeNames = typeNamesOf(`${name}.Desktop`, options.providers)
  return Object.freeze({
    name,
    vendor,
    application,
    displayName,
    color,
    executable: `${application}.exe`,
    configFile: `${application}.exe.config`,
    applicationId: `${vendor}.${application}`.replaceAll(/\s/gu, '').slice(0, 128),
    pipePrefix,
    xmlRoot,
    registryKey,
    providers: Object.freeze(mapProviders(provider => typeNames[provider][0] ?? '')),
    providerAliases: Object.freeze(mapProviders(provider => Object.freeze(typeNames[provider].slice(1)))),
    defaultProvider,
    appUrl,
    updateUrl,
    requiredPerson: Object.freeze([...requiredPerson]),
    defaultEngines: Object.freeze([...defaultEngines]),
    readsOldSettings,
  })
}

/** Type names of each provider, its own first. */
function typeNamesOf(assembly: string, given: BrandOptions['providers']) {
  return mapProviders(provider => {
    const word =
      provider === 'legacyXml' ? 'Legacy' : `${provider.charAt(0).toUpperCase()}${provider.slice(1)}`
    return [given?.[provider] ?? `${assembly}.${word}.Component, ${assembly}`].flat()
  })
}

function mapProviders<Value>(pick: (provider: BuiltInProvider) => Value): Record<BuiltInProvider, Value> {
  return {
    arguments: pick('arguments'),
    legacyXml: pick('legacyXml'),
    namedPipe: pick('namedPipe'),
    partnerLink: pick('partnerLink'),
  }
}

/**
 * Checks that an argument is a brand, as `defineBrand` makes it.
 *
 * @param parameter its name, as the documentation of the caller spells it
 * @throws {ParameterError} when the value is no brand
 */
export function assertBrand(parameter: string, brand: unknown): void {
  assertParameter(parameter, brand, 'object')
  if (!Object.hasOwn(Object(brand), 'providerAliases'))
    throw new ParameterError(parameter, 'a brand', 'must be made by defineBrand.')
  assertParameter(parameter, brand, 'closed', { ...kindsOf(defaultBrand), defaultProvider: builtInProviders })
  for (const member of ['providers', 'providerAliases'] as const)
    assertParameter(`${parameter}.${member}`, Object(brand)[member], 'closed', kindsOf(defaultBrand[member]))
}

/** The kind of each member of an object that has them all. */
function kindsOf(example: object): Record<string, ParameterKind> {
  const kindOf = (value: unknown): ParameterKind => {
    if (typeof value === 'string') return 'text'
    return typeof value === 'boolean' ? 'boolean' : Array.isArray(value) ? 'list' : 'object'
  }
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, kindOf(value)]))
}

/** Finds the provider of every wrapper that a type name chooses. White space and case do not count. */
export function findBuiltInProvider(brand: Brand, typeName: string): BuiltInProvider | undefined {
  const folded = foldTypeName(typeName)
  return builtInProviders.find(provider =>
    [brand.providers[provider], ...brand.providerAliases[provider]].some(
      name => foldTypeName(name) === folded,
    ),
  )
}

/** The brand of the specification, with its neutral word. */
export const defaultBrand: Brand = brandOf({})

/** The pipe's name without an operating system's decoration: `servicepipe.<pid>` (spec 4.5). */
export function pipeName(brand: Brand, pid: number): string {
  return `${brand.pipePrefix}.${pid}`
}

/**
 * Where a wrapper's pipe is opened: `\\.\pipe\servicepipe.<pid>` on Windows; elsewhere the Unix socket that .NET's
 * `NamedPipeClientStream(".", "servicepipe.<pid>")` opens (design: pipe protocol).
 *
 * @param platform Node's `process.platform`
 * @param folder folder in which Unix sockets lie, see {@link unixPipeFolder}; not used on Windows
 */
export function pipeAddress(brand: Brand, pid: number, platform: string, folder: string): string {
  if (platform === 'win32') return `\\\\.\\pipe\\${pipeName(brand, pid)}`
  return `${folder.replace(/\/+$/, '')}/${unixPipePrefix}${pipeName(brand, pid)}`
}

/** .NET's prefix for pipe names on Linux and macOS. */
export const unixPipePrefix = 'CoreFxPipe_'

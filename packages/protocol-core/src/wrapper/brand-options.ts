import { defineError } from '../errors/define-error.ts'
import { assertParameter } from '../errors/parameter-error.ts'
import { type PersonFieldName, personFieldNames } from '../person/person-fields.ts'
import { isThisMachine } from '../text/this-machine.ts'
import { foldTypeName, readTypeName } from './type-name.ts'

/** The names and habits that an integrator chooses. All others are derived. */
export interface BrandOptions {
  /** The maker's word: letters and digits, beginning with a letter. Default `Service`. */
  readonly name?: string | undefined
  /** Folder and registry name of the vendor. Default: `name`. */
  readonly vendor?: string | undefined
  /** Base name of executable and configuration file. Default: `<name>.Client.WebWrapper`. */
  readonly application?: string | undefined
  /** The name that people at the desktop read. Default: `name`. */
  readonly displayName?: string | undefined
  /** Color of the wrapper's own pages and notices, `#rrggbb`. Default: the blue of the neutral icon. */
  readonly color?: string | undefined
  /** First part of the pipe's name, before the dot and the process id. Default: `<name>pipe` in lower case. */
  readonly pipePrefix?: string | undefined
  /** Root element of the XML file. Default: `<name>input` in lower case. */
  readonly xmlRoot?: string | undefined
  /** Key below the current user's hive, a path such as `Software\Acme Health\Web Wrapper`. Default: `Software\<vendor>\<application>`. */
  readonly registryKey?: string | undefined
  /** Where the wrapper finds the web app when no configuration says so: an absolute http(s) URL. Default: none, `{app_url}`. */
  readonly appUrl?: string | undefined
  /** Site of the installers and of the update check: an absolute https URL, or http to this machine. Default: none, `{webwrapper_site}`. */
  readonly updateUrl?: string | undefined
  /**
   * Type names, `<Type>, <Assembly>`, of built-in providers: one name, or a list. The first is the provider's name, the others
   * choose it too. Default: `<name>.Desktop.Arguments.Component, <name>.Desktop`, and likewise `Legacy`, `NamedPipe`, `PartnerLink`.
   */
  readonly providers?:
    | { readonly [Name in BuiltInProvider]?: string | readonly string[] | undefined }
    | undefined
  /** Provider of a launch for which neither the launch nor a configuration names one. Default `legacyXml`. */
  readonly defaultProvider?: BuiltInProvider | undefined
  /**
   * Fields that each person of a command line or an XML file must have, with `customId`. Default: `customId`, `firstname`,
   * `lastname`, `dateOfBirth`.
   */
  readonly requiredPerson?: readonly RequiredField[] | undefined
  /** Further values of the setting `BrowserEngine`, in any case, that mean the default engine. Default: none. */
  readonly defaultEngines?: readonly string[] | undefined
  /** Whether settings of older wrappers count: `UpdatePath`, `Log`, `Top`, `Left`, `Width`, `Height`, `ZoomFactor`. Default `true`. */
  readonly readsOldSettings?: boolean | undefined
}

/** Providers that every wrapper has. */
export const builtInProviders = ['arguments', 'legacyXml', 'namedPipe', 'partnerLink'] as const

/** The name of a provider that every wrapper has. */
export type BuiltInProvider = (typeof builtInProviders)[number]

/** A field that a brand can require of a person. */
type RequiredField = PersonFieldName['field']

/**
 * A brand option cannot be the name of a file, a pipe, an element or a type.
 *
 * @remedy Correct the option that the message names, in the brand file or in `defineBrand`.
 * @retry no
 * @seenBy integrator
 */
export class BrandError extends defineError('ERR_BRAND', (option: keyof BrandOptions, needs: string) => ({
  message: `Brand option ${option} needs ${needs}.`,
  /** The invalid option. */
  option,
})) {}

type Rule<Value> = readonly [accepts: (value: Value) => boolean, needs: string]

const webAddress: Rule<string> = [
  text => /^(https?:\/\/\S+|\{[a-z_]+\})$/.test(text),
  'an absolute http or https URL',
]

/** Rule of each option that is text. Functions, so that a second start compiles no pattern: it makes a brand and checks nothing. */
const textRules = {
  name: [text => /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(text), 'letters and digits, a letter first, at most 64'],
  vendor: [
    text => /^[A-Za-z0-9]([A-Za-z0-9 ._-]{0,62}[A-Za-z0-9])?$/.test(text),
    'a folder name of letters, digits, space, dot, underscore or hyphen',
  ],
  application: [
    text => /^[A-Za-z][A-Za-z0-9._-]{0,62}[A-Za-z0-9]$/.test(text) && !/\.exe$/i.test(text),
    'a file name of letters, digits, dot, underscore or hyphen, without .exe',
  ],
  displayName: [text => /^\P{Cc}{1,64}$/u.test(text), 'one line of at most 64 characters'],
  color: [text => /^#[\da-f]{6}$/i.test(text), 'a color, #rrggbb'],
  pipePrefix: [
    text => /^[A-Za-z0-9_-]{1,32}$/.test(text),
    'at most 32 letters, digits, underscores or hyphens',
  ],
  xmlRoot: [
    text => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(text),
    'an XML element name of ASCII letters, digits, underscore or hyphen',
  ],
  // An uninstallation removes values of this key, so it must be a maker's own. The installer reads [ ] { } $ as signs.
  registryKey: [
    text => /^Software(\\[\p{L}\p{N}](?:[\p{L}\p{N} .,&'()+_-]{0,62}[\p{L}\p{N}.)+])?){2,8}$/iu.test(text),
    'a path of two to eight names below Software, such as Software\\Acme Health\\Web Wrapper',
  ],
  appUrl: webAddress,
  updateUrl: [
    text =>
      webAddress[0](text) && (!text.startsWith('http:') || isThisMachine(URL.parse(text)?.hostname ?? '')),
    'an absolute https URL, or http to this machine',
  ],
} as const satisfies Readonly<Record<string, Rule<string>>>

/** Rule of each option that is a list. A function: what never checks a brand is bundled without it. */
function listRules() {
  // Fields of a person that the command line or the XML file brings.
  const requirable: readonly RequiredField[] = [
    ...new Set(
      [...personFieldNames('arguments', []), ...personFieldNames('xml', [])].map(({ field }) => field),
    ),
  ]
  return {
    requiredPerson: [
      fields =>
        fields.includes('customId') && fields.every(field => requirable.some(known => known === field)),
      `a list with customId and none but these: ${requirable.join(', ')}`,
    ],
    defaultEngines: [
      words => words.every(word => /^[\w.-]{1,64}$/.test(word)),
      'a list of words of letters, digits, dots, underscores or hyphens',
    ],
  } as const satisfies Readonly<Record<string, Rule<readonly string[]>>>
}

const optionKinds = () =>
  ({
    ...Object.fromEntries(Object.keys(textRules).map(name => [name, 'text?'] as const)),
    providers: 'object?',
    defaultProvider: [...builtInProviders, undefined],
    requiredPerson: 'list?',
    defaultEngines: 'list?',
    readsOldSettings: 'boolean?',
  }) as const

/**
 * Checks the options of `defineBrand`.
 *
 * @throws {ParameterError} when an option is not known or is of another kind
 * @throws {BrandError} when a value could not be such a name or list
 */
export function checkBrandOptions(options: BrandOptions): void {
  assertParameter('options', options, 'closed', optionKinds())
  for (const [name, [accepts, needs]] of entriesOf(textRules)) {
    const value = options[name]
    if (value !== undefined && !accepts(value)) throw new BrandError(name, needs)
  }
  for (const [name, [accepts, needs]] of entriesOf(listRules())) {
    const values = options[name]
    for (const value of values ?? []) assertParameter(`options.${name}`, value, 'text')
    if (values !== undefined && !accepts(values)) throw new BrandError(name, needs)
  }
  const kinds = Object.fromEntries(builtInProviders.map(provider => [provider, 'any?'] as const))
  assertParameter('options.providers', options.providers ?? {}, 'closed', kinds)
  for (const provider of builtInProviders) {
    const names = options.providers?.[provider]
    for (const name of [names ?? []].flat()) assertParameter(`options.providers.${provider}`, name, 'text')
  }
}

/**
 * Checks all type names of a brand.
 *
 * @throws {BrandError} when one is not written `<Type>, <Assembly>`, or two are the same
 */
export function checkTypeNames(names: readonly string[]): void {
  const folded = new Set(names.map(foldTypeName))
  if (folded.size === names.length && names.every(readTypeName)) return
  const needs = 'type names written "<Type>, <Assembly>" (one, or a list with at least one)'
  throw new BrandError('providers', `${needs}, each for one provider only`)
}

function entriesOf<Name extends string, Value>(record: Readonly<Record<Name, Value>>): [Name, Value][] {
  return Object.entries(record) as [Name, Value][]
}

import { assertParameter } from '../errors/parameter-error.ts'
import { ServiceLinkError } from '../errors/service-link-error.ts'

/** The names that an integrator chooses. All others are derived. */
export interface BrandOptions {
  /** The maker's word: letters and digits, beginning with a letter. Default `Service`. */
  readonly name?: string
  /** Folder and registry name of the vendor. Default: `name`. */
  readonly vendor?: string
  /** Base name of executable, configuration file and registry key. Default: `<name>.Client.WebWrapper`. */
  readonly application?: string
  /** The name that people at the desktop read. Default: `name`. */
  readonly displayName?: string
  /** First part of the pipe's name, before the dot and the process id. Default: `<name>pipe` in lower case. */
  readonly pipePrefix?: string
  /** Root element of the XML file. Default: `<name>input` in lower case. */
  readonly xmlRoot?: string
  /** Where the wrapper finds the web app when no configuration says so: an absolute http(s) URL. Default: none, `{app_url}`. */
  readonly appUrl?: string
  /** Site of the installers and of the update check: an absolute http(s) URL. Default: none, `{webwrapper_site}`. */
  readonly updateUrl?: string
}

/** The type names, `<Type>, <Assembly>`, by which a launch or a setting chooses a provider. */
export interface ProviderTypeNames {
  readonly arguments: string
  readonly legacyXml: string
  readonly namedPipe: string
  readonly partnerLink: string
}

/** Every name that carries the maker's brand. No other file of this project spells one. */
export interface Brand {
  readonly name: string
  readonly vendor: string
  readonly application: string
  readonly displayName: string
  /** File name of the executable on Windows. */
  readonly executable: string
  /** File name of the default configuration in the application root ([specification 2.2](https://github.com/service-link/service-link/blob/main/docs/reference/settings.md)). */
  readonly configFile: string
  readonly pipePrefix: string
  readonly xmlRoot: string
  /** Below the current user's hive; values `path` and `version` ([specification 4.2](https://github.com/service-link/service-link/blob/main/docs/reference/command-line.md)). */
  readonly registryKey: string
  readonly providers: ProviderTypeNames
  readonly appUrl: string
  readonly updateUrl: string
}

/** A brand option cannot be the name of a file, a pipe, an element or a type. */
export class BrandError extends ServiceLinkError<'ERR_BRAND'> {
  readonly code = 'ERR_BRAND'
  /** The invalid option. */
  readonly option: keyof BrandOptions

  constructor(option: keyof BrandOptions, needs: string) {
    super(`Brand option ${option} needs ${needs}.`)
    this.option = option
  }
}

type Rule = readonly [accepts: (text: string) => boolean, needs: string]

const webAddress: Rule = [
  text => /^(https?:\/\/[^\s]+|\{[a-z_]+\})$/.test(text),
  'an absolute http or https URL',
]

// Functions, so that a second start of the wrapper compiles no pattern: it makes a brand and checks nothing.
const rules: Readonly<Record<keyof BrandOptions, Rule>> = {
  name: [text => /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(text), 'letters and digits, a letter first, at most 64'],
  vendor: [
    text => /^[A-Za-z0-9]([A-Za-z0-9 ._-]{0,62}[A-Za-z0-9])?$/.test(text),
    'a folder name of letters, digits, space, dot, underscore or hyphen',
  ],
  application: [
    text => /^[A-Za-z][A-Za-z0-9._-]{0,62}[A-Za-z0-9]$/.test(text),
    'a file name of letters, digits, dot, underscore or hyphen',
  ],
  displayName: [text => /^\P{Cc}{1,64}$/u.test(text), 'one line of at most 64 characters'],
  pipePrefix: [
    text => /^[A-Za-z0-9_-]{1,32}$/.test(text),
    'at most 32 letters, digits, underscores or hyphens',
  ],
  xmlRoot: [
    text => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(text),
    'an XML element name of ASCII letters, digits, underscore or hyphen',
  ],
  appUrl: webAddress,
  updateUrl: webAddress,
}

const optionalNames = Object.fromEntries(Object.keys(rules).map(name => [name, 'text?'] as const))
const names = Object.fromEntries(Object.keys(rules).map(name => [name, 'text'] as const))

/**
 * Derives every branded name from a few (design: brand). The default is the neutral word of the specification.
 *
 * @throws {ParameterError} when an option is not known or is not text
 * @throws {BrandError} when a name could not be a file, pipe, element or type name
 * @example
 * ```ts
 * import { defineBrand } from '@service-link/protocol-core/brand'
 *
 * const brand = defineBrand({ name: 'Acme', vendor: 'Acme Health', appUrl: 'https://app.acme.example/' })
 * brand.executable // 'Acme.Client.WebWrapper.exe'
 * ```
 */
export function defineBrand(options: BrandOptions = {}): Brand {
  assertParameter('options', options, 'closed', optionalNames)
  for (const [key, [accepts, needs]] of Object.entries(rules)) {
    const option = key as keyof BrandOptions
    const value = options[option]
    if (value !== undefined && !accepts(value)) throw new BrandError(option, needs)
  }
  const name = options.name ?? 'Service'
  const vendor = options.vendor ?? name
  const application = options.application ?? `${name}.Client.WebWrapper`
  const assembly = `${name}.Desktop`
  return Object.freeze({
    name,
    vendor,
    application,
    displayName: options.displayName ?? name,
    executable: `${application}.exe`,
    configFile: `${application}.exe.config`,
    pipePrefix: options.pipePrefix ?? `${name.toLowerCase()}pipe`,
    xmlRoot: options.xmlRoot ?? `${name.toLowerCase()}input`,
    registryKey: `Software\\${vendor}\\${application}`,
    providers: Object.freeze({
      arguments: `${assembly}.Arguments.Component, ${assembly}`,
      legacyXml: `${assembly}.Legacy.Component, ${assembly}`,
      namedPipe: `${assembly}.NamedPipe.Component, ${assembly}`,
      partnerLink: `${assembly}.PartnerLink.Component, ${assembly}`,
    }),
    appUrl: options.appUrl ?? '{app_url}',
    updateUrl: options.updateUrl ?? '{webwrapper_site}',
  })
}

/**
 * Checks that an argument is a brand, as `defineBrand` makes it.
 *
 * @param parameter its name, as the documentation of the caller spells it
 * @throws {ParameterError} when the value is no brand
 */
export function assertBrand(parameter: string, brand: unknown): void {
  assertParameter(parameter, brand, 'closed', {
    ...names,
    executable: 'text',
    configFile: 'text',
    registryKey: 'text',
    providers: 'object',
  })
  assertParameter(`${parameter}.providers`, Object(brand).providers, 'closed', {
    arguments: 'text',
    legacyXml: 'text',
    namedPipe: 'text',
    partnerLink: 'text',
  })
}

/** The brand of the specification, with its neutral word. */
export const defaultBrand: Brand = defineBrand()

/** The pipe's name without an operating system's decoration: `servicepipe.<pid>` ([specification 4.5](https://github.com/service-link/service-link/blob/main/docs/reference/pipe.md)). */
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

/**
 * Folder in which .NET puts its pipes on Linux and macOS: `TMPDIR`, else `/tmp`. (Node's `os.tmpdir()` also looks at `TMP`
 * and `TEMP`, which .NET does not.)
 */
export function unixPipeFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return environment.TMPDIR || '/tmp'
}

type Environment = Readonly<Record<string, string | undefined>>

/** File in the {@link wrapperUserFolder} in which a wrapper notes where it is installed. */
export const installFileName = 'install.json'

/**
 * Says where a wrapper keeps what belongs to this user on this machine (design: settings). Touches nothing.
 *
 * @param platform Node's `process.platform`
 * @param environment `SERVICE_WRAPPER_DATA` moves it
 * @param home tells the user's home, where it is needed
 * @returns a path; relative to the working directory when that variable is
 */
export function wrapperUserFolder(
  brand: Brand,
  platform: string,
  environment: Environment,
  home: () => string,
): string {
  if (environment.SERVICE_WRAPPER_DATA) return environment.SERVICE_WRAPPER_DATA
  const separator = platform === 'win32' ? '\\' : '/'
  return [localDataFolder(platform, environment, home), brand.vendor, brand.application].join(separator)
}

/** The folder in which programs keep what belongs to this user on this machine. */
function localDataFolder(platform: string, environment: Environment, home: () => string): string {
  if (platform === 'win32') return environment.LOCALAPPDATA || `${home()}\\AppData\\Local`
  if (platform === 'darwin') return `${home()}/Library/Application Support`
  return environment.XDG_DATA_HOME || `${home()}/.local/share`
}

/**
 * The name of a user's login session on Linux: the display, because the window is there. `XDG_SESSION_ID` is
 * missing from programs that the user's service manager starts, so that one session would have two wrappers. The screen of a
 * display does not matter: `:0.0` is `:0`.
 *
 * @param environment of the process whose session is asked for
 * @returns an empty text when it has no display
 */
export function loginDisplay(environment: Readonly<Record<string, string | undefined>>): string {
  return environment.DISPLAY?.replace(/(:\d+)\.\d+$/, '$1') || environment.WAYLAND_DISPLAY || ''
}

/** The folder of Windows: `SystemRoot` if it is an absolute path with its drive. */
export function systemRoot({ SystemRoot }: Environment = process.env): string {
  const hasDrive = SystemRoot !== undefined && /^[a-z]:[\\/]/i.test(SystemRoot)
  return hasDrive ? SystemRoot.replaceAll('/', '\\').replace(/\\+$/, '') : 'C:\\Windows'
}

/**
 * The absolute path of a program of Windows. Windows would look for a bare name in the working directory, too.
 *
 * @param name file name, such as `taskkill.exe`
 */
export function systemProgram(name: string, environment: Environment = process.env): string {
  return `${systemRoot(environment)}\\System32\\${name}`
}

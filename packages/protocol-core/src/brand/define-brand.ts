import { ServiceLinkError } from '../errors/service-link-error.ts'

/** What an integrator chooses; all else follows from it. */
export interface BrandOptions {
  /** The maker's word: letters and digits, beginning with a letter. Default `Service`. */
  readonly name?: string
  /** Folder and registry name of the vendor. Default: `name`. */
  readonly vendor?: string
  /** Base name of executable, configuration file and registry key. Default: `<name>.Client.WebWrapper`. */
  readonly application?: string
  /** What the person at the desktop reads. Default: `name`. */
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
  /** File name of the default configuration in the application root (specification 2.2). */
  readonly configFile: string
  readonly pipePrefix: string
  readonly xmlRoot: string
  /** Below the current user's hive; values `path` and `version` (specification 4.2). */
  readonly registryKey: string
  readonly providers: ProviderTypeNames
  readonly appUrl: string
  readonly updateUrl: string
}

/** A brand option that cannot be a name of a file, a pipe, an element or a type. */
export class BrandError extends ServiceLinkError<'ERR_BRAND'> {
  readonly code = 'ERR_BRAND'
  /** The option that is at fault. */
  readonly option: keyof BrandOptions

  constructor(option: keyof BrandOptions, needs: string) {
    super(`Brand option ${option} needs ${needs}.`)
    this.option = option
  }
}

interface Pattern {
  readonly option: keyof BrandOptions
  readonly accepts: (text: string) => boolean
  readonly needs: string
}

// Functions, since an expression is parsed where it is made: a second start of the wrapper makes a brand and checks nothing.
const patterns: readonly Pattern[] = [
  {
    option: 'name',
    accepts: text => /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(text),
    needs: 'letters and digits, a letter first, at most 64',
  },
  {
    option: 'vendor',
    accepts: text => /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}[A-Za-z0-9]$|^[A-Za-z0-9]$/.test(text),
    needs: 'a folder name of letters, digits, space, dot, underscore or hyphen',
  },
  {
    option: 'application',
    accepts: text => /^[A-Za-z][A-Za-z0-9._-]{0,62}[A-Za-z0-9]$/.test(text),
    needs: 'a file name of letters, digits, dot, underscore or hyphen',
  },
  {
    option: 'displayName',
    accepts: text => /^\P{Cc}{1,64}$/u.test(text),
    needs: 'one line of at most 64 characters',
  },
  {
    option: 'pipePrefix',
    accepts: text => /^[A-Za-z0-9_-]{1,32}$/.test(text),
    needs: 'at most 32 letters, digits, underscores or hyphens',
  },
  {
    option: 'xmlRoot',
    accepts: text => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(text),
    needs: 'an XML element name of ASCII letters, digits, underscore or hyphen',
  },
  {
    option: 'appUrl',
    accepts: text => /^(https?:\/\/[^\s]+|\{[a-z_]+\})$/.test(text),
    needs: 'an absolute http or https URL',
  },
  {
    option: 'updateUrl',
    accepts: text => /^(https?:\/\/[^\s]+|\{[a-z_]+\})$/.test(text),
    needs: 'an absolute http or https URL',
  },
]

/**
 * Derives every branded name from a few (design: brand). The default is the neutral word of the specification.
 *
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
  for (const { option, accepts, needs } of patterns) {
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

/** The brand of the specification, with its neutral word. */
export const defaultBrand: Brand = defineBrand()

import type { LaunchArguments } from '@service-link/cli-args'
import type { Brand } from '@service-link/protocol-core'
import { builtInProviders } from './built-in-providers.ts'
import { guardProvider } from './guard-provider.ts'
import { foldTypeName, type Provider, readTypeName } from './provider.ts'
import { ProviderNameError, UnknownProviderError } from './provider-errors.ts'
import { ProviderModules } from './provider-modules.ts'

/** The provider of a launch. */
interface ChosenProvider {
  readonly provider: Provider
  /** Whether an integrator wrote it, who may know arguments that the wrapper does not. */
  readonly isOwn: boolean
}

/** The providers of a wrapper. */
export interface ProviderTable {
  /**
   * Finds the provider of a launch: first by its argument `provider=`, then the partner-link provider for a signed payload,
   * then by the setting `ProtocolProvider` (specification 4.2).
   *
   * @throws {UnknownProviderError} when no provider has that name
   * @throws {ProviderModuleError} when an integrator's module cannot be used
   */
  choose(launch: Pick<LaunchArguments, 'provider' | 'payload'>): Promise<ChosenProvider>
}

/** Options of {@link createProviderTable}. */
interface ProviderTableOptions {
  /** Gives the built-in providers their type names. */
  readonly brand: Brand
  /** The setting `ProtocolProvider`. */
  readonly setting: string
  /** Folder that holds the folder `providers`. */
  readonly applicationRoot: string
  /** Providers of the program that embeds the wrapper, by type name. */
  readonly own?: OwnProviders
}

/**
 * Makes the table of providers: those of the wrapper, those of the program that embeds it, and the modules in the application
 * root. The table looks a name up in that order, so no other provider replaces a built-in one.
 *
 * @throws {ProviderNameError} when a name in `own` is no type name, a built-in one, or given twice
 */
export function createProviderTable(options: ProviderTableOptions): ProviderTable {
  const { brand, setting, applicationRoot, own = {} } = options
  checkOwnNames(brand, own)
  const builtIn = builtInProviders(brand)
  const table = new Map<string, ChosenProvider>()
  for (const [name, provider] of builtIn) table.set(foldTypeName(name), { provider, isOwn: false })
  for (const [name, provider] of Object.entries(own))
    table.set(foldTypeName(name), { provider: guardProvider(provider), isOwn: true })
  const modules = new ProviderModules(applicationRoot)

  async function find(name: string): Promise<ChosenProvider> {
    const known = table.get(foldTypeName(name))
    if (known) return known
    const typeName = readTypeName(name)
    const provider = typeName && (await modules.load(typeName))
    if (provider) return { provider: guardProvider(provider), isOwn: true }
    const names = [...builtIn.map(([builtInName]) => builtInName), ...Object.keys(own)]
    throw new UnknownProviderError({ names, assemblies: await modules.list() })
  }

  return {
    choose: ({ provider, payload }) =>
      find(provider ?? (payload === undefined ? setting : brand.providers.partnerLink)),
  }
}

/** Providers of the program that embeds the wrapper: type name, `<Type>, <Assembly>` → provider. */
export type OwnProviders = Readonly<Record<string, Provider>>

/**
 * Checks that each name can choose its provider.
 *
 * @throws {ProviderNameError} when a name is no type name, a built-in one, or the same as another but for case and blanks
 */
export function checkOwnNames(brand: Brand, own: OwnProviders): void {
  const taken = new Set(Object.values(brand.providers).map(foldTypeName))
  for (const name of Object.keys(own)) {
    if (!readTypeName(name))
      throw new ProviderNameError(`The provider name "${name}" is not written "<Type>, <Assembly>".`)
    const folded = foldTypeName(name)
    if (taken.has(folded))
      throw new ProviderNameError(`The provider name "${name}" is taken by another provider of the wrapper.`)
    taken.add(folded)
  }
}

import type { LaunchArguments } from '@service-link/cli-args'
import type { Brand } from '@service-link/protocol-core'
import { argumentsProvider } from './arguments-provider.ts'
import { namedPipeProvider } from './named-pipe-provider.ts'
import { guardProvider } from './own/guard-provider.ts'
import { checkOwnNames, type OwnProviders } from './own/own-providers.ts'
import { ProviderModules } from './own/provider-modules.ts'
import { createPartnerLinkProvider } from './partner-link-provider.ts'
import type { Provider } from './provider.ts'
import { foldTypeName, readTypeName } from './type-name.ts'
import { UnknownProviderError } from './unknown-provider-error.ts'
import { createXmlProvider } from './xml-provider.ts'

/** The provider of a launch. */
export interface ChosenProvider {
  readonly provider: Provider
  /** Whether it is an integrator's, who may know arguments that the wrapper does not. */
  readonly isOwn: boolean
}

/** The providers of a wrapper. */
export interface ProviderTable {
  /**
   * Finds the provider of a launch: the one that its own `provider=` argument names, else for a signed payload the
   * partner-link provider, else the one of the setting `ProtocolProvider` (specification 4.2).
   *
   * @throws {UnknownProviderError} when there is none of that name
   * @throws {ProviderModuleError} when an integrator's module cannot be used
   */
  choose(launch: Pick<LaunchArguments, 'provider' | 'payload'>): Promise<ChosenProvider>
}

/** What a {@link ProviderTable} is made of. */
export interface ProviderTableOptions {
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
 * Puts the providers together: those that ship with the wrapper, those of the program that embeds it, and the modules in the
 * application root. A name is looked for in that order, so nobody's own provider takes the place of a built-in one.
 *
 * @throws {ProviderNameError} when a name of an own provider is no type name, a built-in one, or given twice
 */
export function createProviderTable(options: ProviderTableOptions): ProviderTable {
  const { brand, setting, applicationRoot, own = {} } = options
  checkOwnNames(brand, own)
  const builtIn: readonly (readonly [string, Provider])[] = [
    [brand.providers.arguments, argumentsProvider],
    [brand.providers.legacyXml, createXmlProvider(brand)],
    [brand.providers.namedPipe, namedPipeProvider],
    [brand.providers.partnerLink, createPartnerLinkProvider()],
  ]
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

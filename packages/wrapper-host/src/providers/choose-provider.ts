import { type Brand, ServiceLinkError } from '@service-link/protocol-core'
import { argumentsProvider } from './arguments-provider.ts'
import type { Provider } from './provider.ts'
import { createXmlProvider } from './xml-provider.ts'

/** A launch or setting names a provider that this wrapper does not have. */
export class UnknownProviderError extends ServiceLinkError<'ERR_PROVIDER_UNKNOWN'> {
  readonly code = 'ERR_PROVIDER_UNKNOWN'

  constructor(known: readonly string[]) {
    super(`The provider is not one of this wrapper’s. Known: ${known.map(name => `"${name}"`).join(', ')}.`)
  }
}

/** Type name, `<Type>, <Assembly>` → provider. */
export type ProviderTable = ReadonlyMap<string, Provider>

/** The launch brings no commands: they come over the pipe, whose server always runs (specification 4.5). */
const namedPipeProvider: Provider = {
  provide: async () => ({ commands: [] }),
}

/** The providers that ship with the wrapper, under the brand's type names. */
export function builtInProviders(brand: Brand): ProviderTable {
  return new Map([
    [brand.providers.arguments, argumentsProvider],
    [brand.providers.legacyXml, createXmlProvider(brand)],
    [brand.providers.namedPipe, namedPipeProvider],
  ])
}

/**
 * Finds the provider of a launch: the one that its own `provider=` argument names, else the one of the setting
 * (specification 4.2). White space around the comma does not matter.
 *
 * @throws {UnknownProviderError} when there is none of that name
 */
export function chooseProvider(
  table: ProviderTable,
  argument: string | undefined,
  setting: string,
): Provider {
  const wanted = normalise(argument ?? setting)
  for (const [name, provider] of table) if (normalise(name) === wanted) return provider
  throw new UnknownProviderError([...table.keys()])
}

function normalise(typeName: string): string {
  return typeName.replaceAll(/\s+/g, '').toLowerCase()
}

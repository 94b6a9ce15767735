import { ServiceLinkError } from '@service-link/protocol-core'

/** What a wrapper without the wanted provider has instead. */
export interface KnownProviders {
  /** Type names of the providers that it has. */
  readonly names: readonly string[]
  /** Assemblies in the folder `providers`, which are looked into only when a launch names one. */
  readonly assemblies: readonly string[]
}

/** A launch or setting names a provider that this wrapper does not have. */
export class UnknownProviderError extends ServiceLinkError<'ERR_PROVIDER_UNKNOWN'> {
  readonly code = 'ERR_PROVIDER_UNKNOWN'

  constructor({ names, assemblies }: KnownProviders) {
    const modules = assemblies.length > 0 ? ` Assemblies in the folder providers: ${list(assemblies)}.` : ''
    super(`The provider is not one of this wrapper’s. Known: ${list(names)}.${modules}`)
  }
}

function list(names: readonly string[]): string {
  return names.map(name => `"${name}"`).join(', ')
}

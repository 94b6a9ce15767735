import { ServiceLinkError } from '@service-link/protocol-core'

/** A launch brings something that the chosen provider does not read, and that would be lost without a word. */
export class ProviderMismatchError extends ServiceLinkError<'ERR_PROVIDER_MISMATCH'> {
  readonly code = 'ERR_PROVIDER_MISMATCH'

  constructor(brought: string, needed: string) {
    super(
      `The launch brings ${brought}, which its provider does not read. Choose the ${needed} provider with provider="<type>, <assembly>" or the setting ProtocolProvider.`,
    )
  }
}

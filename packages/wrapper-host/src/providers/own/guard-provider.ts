import { isServiceLinkError, type ServiceLinkError } from '@service-link/protocol-core'
import type { Provider } from '../provider.ts'
import { ProviderFailedError } from './provider-errors.ts'
import { readProvided } from './read-provided.ts'

/**
 * Puts what the wrapper relies on around a provider that is not its own: errors that hold no personal data, and results
 * that were checked.
 */
export function guardProvider(provider: Provider): Provider {
  return {
    async provide(context) {
      // Reading it may run the provider's code, too: a member can be a getter.
      const { taken, ...provided } = await orNeutral(async () =>
        readProvided(await provider.provide(context)),
      )
      return taken ? { ...provided, taken: () => orNeutral(taken) } : provided
    },
  }
}

async function orNeutral<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw neutral(error)
  }
}

/** Only our own errors promise to hold no personal data. */
function neutral(error: unknown): ServiceLinkError {
  return isServiceLinkError(error) ? error : new ProviderFailedError()
}

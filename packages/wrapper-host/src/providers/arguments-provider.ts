import { parseCommandLine } from '@service-link/cli-args'
import type { Provider } from './provider.ts'
import { ProviderMismatchError } from './provider-mismatch-error.ts'

/** The command-line provider: `key=value` arguments (specification 4.3). */
export const argumentsProvider: Provider = {
  async provide(context) {
    if (context.arguments.xmlFile !== undefined) throw new ProviderMismatchError('an XML file', 'XML')
    return { commands: parseCommandLine(context.arguments, { culture: context.culture }) }
  },
}

import { parseCommandLine } from '@service-link/cli-args'
import type { Provider } from './provider.ts'
import { ProviderMismatchError } from './provider-mismatch-error.ts'

/** The command-line provider: `key=value` arguments (specification 4.3). */
export const argumentsProvider: Provider = {
  async provide({ arguments: args, culture }) {
    if (args.xmlFile !== undefined) throw new ProviderMismatchError('an XML file', 'XML')
    if (args.payload !== undefined) throw new ProviderMismatchError('a signed payload', 'partner-link')
    return { commands: parseCommandLine(args, { culture }) }
  },
}

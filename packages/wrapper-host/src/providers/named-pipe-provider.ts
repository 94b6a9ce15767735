import type { Provider } from './provider.ts'
import { ProviderMismatchError } from './provider-mismatch-error.ts'

/** The launch brings no commands: they come over the pipe, whose server always runs (specification 4.5). */
export const namedPipeProvider: Provider = {
  async provide({ arguments: { xmlFile, payload, hasCommands } }) {
    if (xmlFile !== undefined) throw new ProviderMismatchError('an XML file', 'XML')
    if (payload !== undefined) throw new ProviderMismatchError('a signed payload', 'partner-link')
    if (hasCommands) throw new ProviderMismatchError('arguments of the command line', 'command-line')
    return { commands: [] }
  },
}

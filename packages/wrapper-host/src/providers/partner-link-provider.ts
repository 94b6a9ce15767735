import { parseCommandLine } from '@service-link/cli-args'
import { ArgsError } from '@service-link/protocol-core'
import { resolveLaunchPath } from './launch-path.ts'
import { readPayloadFile } from './payload-file.ts'
import type { ProvidedCommands, Provider } from './provider.ts'
import { ProviderMismatchError } from './provider-mismatch-error.ts'

/**
 * The partner-link provider: the argument `payload=@<file>`, with the path of a file that holds a signed JWT, relative to the
 * launching process's directory. The window posts the payload, then the other commands of the launch are carried out. The
 * file is deleted only after that, like an XML file.
 */
export function createPartnerLinkProvider(): Provider {
  return {
    async provide({ arguments: args, launch, culture, signal }): Promise<ProvidedCommands> {
      if (args.xmlFile !== undefined) throw new ProviderMismatchError('an XML file', 'XML')
      const { payload } = args
      if (payload === undefined) {
        if (args.hasCommands) throw new ArgsError([{ path: 'payload', problem: 'is missing' }])
        return { commands: [] }
      }
      const commands = parseCommandLine(args, { culture })
      const path = resolveLaunchPath(launch.workingDirectory, payload.slice(1).trim())
      const file = await readPayloadFile(path, signal)
      return {
        payload: file.payload,
        commands,
        async taken() {
          await file.deleteIfSame()
        },
      }
    },
  }
}

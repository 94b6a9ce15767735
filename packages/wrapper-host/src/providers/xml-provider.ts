import type { Brand } from '@service-link/protocol-core'
import { maxXmlBytes, parseXmlInput } from '@service-link/xml-input'
import { resolveLaunchPath } from './launch-path.ts'
import type { Provider } from './provider.ts'
import { ProviderMismatchError } from './provider-mismatch-error.ts'
import { readXmlFile } from './xml-file.ts'

/**
 * The XML provider: the file named by the launch, relative to the launching process's directory (specification 4.4). It is
 * deleted only after the web app has taken its commands; a file that fails stays.
 *
 * @param brand names the root element
 */
export function createXmlProvider(brand: Brand): Provider {
  return {
    async provide({ arguments: args, launch, culture, signal }) {
      if (args.payload !== undefined) throw new ProviderMismatchError('a signed payload', 'partner-link')
      if (args.xmlFile === undefined) {
        if (args.hasCommands) throw new ProviderMismatchError('arguments of the command line', 'command-line')
        return { commands: [] }
      }
      const path = resolveLaunchPath(launch.workingDirectory, args.xmlFile)
      const file = await readXmlFile(path, maxXmlBytes, signal)
      const input = parseXmlInput(file.bytes, { brand, culture })
      return {
        commands: input.commands,
        async taken() {
          if (input.deleteAfterRead) await file.deleteIfSame()
        },
      }
    },
  }
}

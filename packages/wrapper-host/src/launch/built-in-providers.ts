import { parseCommandLine } from '@service-link/cli-args'
import { ArgsError, type Brand } from '@service-link/protocol-core'
import { maxXmlBytes, parseXmlInput } from '@service-link/xml-input'
import { readPayloadFile, readXmlFile } from './launch-file.ts'
import { resolveLaunchPath } from './launch-path.ts'
import type { Provider } from './provider.ts'
import { ProviderMismatchError } from './provider-errors.ts'

/** The providers that ship with the wrapper, by their type names. */
export function builtInProviders(brand: Brand): readonly (readonly [name: string, provider: Provider])[] {
  return [
    [brand.providers.arguments, argumentsProvider],
    [brand.providers.legacyXml, createXmlProvider(brand)],
    [brand.providers.namedPipe, namedPipeProvider],
    [brand.providers.partnerLink, createPartnerLinkProvider()],
  ]
}

/** The command-line provider: `key=value` arguments (specification 4.3). */
const argumentsProvider: Provider = {
  async provide({ arguments: args, culture }) {
    if (args.xmlFile !== undefined) throw new ProviderMismatchError('an XML file', 'XML')
    if (args.payload !== undefined) throw new ProviderMismatchError('a signed payload', 'partner-link')
    return { commands: parseCommandLine(args, { culture }) }
  },
}

/** The named-pipe provider: a launch without commands, which come over the pipe (specification 4.5). */
const namedPipeProvider: Provider = {
  async provide({ arguments: { xmlFile, payload, hasCommands } }) {
    if (xmlFile !== undefined) throw new ProviderMismatchError('an XML file', 'XML')
    if (payload !== undefined) throw new ProviderMismatchError('a signed payload', 'partner-link')
    if (hasCommands) throw new ProviderMismatchError('arguments of the command line', 'command-line')
    return { commands: [] }
  },
}

/**
 * The XML provider: the file named by the launch, relative to the launching process's directory (specification 4.4). It is
 * deleted after the web app has taken its commands. A file that fails stays.
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

/**
 * The partner-link provider: the argument `payload=@<file>`, with the path of a file that holds a signed JWT, relative to the
 * launching process's directory. The window posts the payload, then the other commands of the launch run. Then the file is
 * deleted, like an XML file.
 */
export function createPartnerLinkProvider(): Provider {
  return {
    async provide({ arguments: args, launch, culture, signal }) {
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

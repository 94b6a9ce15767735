import { type LaunchArguments, parseCommandLine } from '@service-link/cli-args'
import {
  ArgsError,
  type Brand,
  type BuiltInProvider,
  findBuiltInProvider,
  foldTypeName,
  isServiceLinkError,
  readTypeName,
} from '@service-link/protocol-core'
import { findNearName } from '@service-link/protocol-core/errors'
import { maxXmlBytes, parseXmlInput, type XmlInput } from '@service-link/xml-input'
import type { DebugLog, OpenExchange } from '../log/exchange-log.ts'
import { guardProvider } from './guard-provider.ts'
import { readPayloadFile, readXmlFile, resolveLaunchPath } from './launch-file.ts'
import { type Provider, ProviderMismatchError, ProviderNameError, UnknownProviderError } from './provider.ts'
import { listProviderModules, ProviderModules } from './provider-modules.ts'

/** The provider of a launch. */
export interface ChosenProvider {
  readonly provider: Provider
  /** Whether an integrator wrote it. Only such a provider may read unknown arguments. */
  readonly isOwn: boolean
}

export type ProviderTable = ReturnType<typeof createProviderTable>

interface ProviderTableOptions {
  /** Gives the built-in providers their type names. */
  readonly brand: Brand
  readonly setting: string
  readonly applicationRoot: string
  readonly own?: OwnProviders
  readonly log?: DebugLog | undefined
}

/**
 * Makes the table of providers: those of the wrapper, those of the program that embeds it, and the modules in the application
 * root. The table looks a name up in that order, so no other provider replaces a built-in one.
 */
export function createProviderTable(options: ProviderTableOptions) {
  const { brand, setting, applicationRoot, own = {}, log } = options
  checkOwnNames(brand, own)
  const builtIn: Readonly<Record<BuiltInProvider, Provider>> = {
    arguments: createArgumentsProvider(brand),
    legacyXml: createXmlProvider(brand, log),
    namedPipe: createNamedPipeProvider(brand),
    partnerLink: createPartnerLinkProvider(brand, log),
  }
  const embedded = new Map(
    Object.entries(own).map(([name, provider]) => [foldTypeName(name), guardProvider(provider)]),
  )
  const modules = new ProviderModules(applicationRoot)

  async function find(name: string, place: string): Promise<ChosenProvider> {
    const known = findBuiltInProvider(brand, name)
    if (known) return { provider: builtIn[known], isOwn: false }
    const ofProgram = embedded.get(foldTypeName(name))
    if (ofProgram) return { provider: ofProgram, isOwn: true }
    const typeName = readTypeName(name)
    const provider = typeName && (await modules.load(typeName))
    if (provider) return { provider: guardProvider(provider), isOwn: true }
    const names = [...Object.values(brand.providers), ...Object.keys(own)]
    const assemblies = await listProviderModules(applicationRoot)
    throw new UnknownProviderError(place, names, assemblies, findNearProvider(brand, name, names))
  }

  return {
    /**
     * Finds the provider of a launch: first by its argument `provider=`, then the partner-link provider for a signed payload, then by
     * the setting `ProtocolProvider` (spec 4.2).
     */
    choose({ provider, payload }: Pick<LaunchArguments, 'provider' | 'payload'>): Promise<ChosenProvider> {
      if (provider !== undefined) return find(provider, 'The argument provider')
      if (payload !== undefined) return find(brand.providers.partnerLink, 'The brand')
      return find(setting, `The setting ProtocolProvider in ${brand.configFile}`)
    },
  }
}

/** Finds the type name that was probably meant: without its assembly, a few letters off, or by its one word, such as `xml`. */
function findNearProvider(brand: Brand, name: string, names: readonly string[]): string | undefined {
  const shorten = (typeName: string) => (typeName.split(',')[0] ?? '').replaceAll(/[.\s]/g, '')
  const { arguments: ofArguments, legacyXml, namedPipe, partnerLink } = brand.providers
  const words = {
    arguments: ofArguments,
    legacy: legacyXml,
    xml: legacyXml,
    namedpipe: namedPipe,
    pipe: namedPipe,
  }
  const meant = findNearName(shorten(name), names.map(shorten), { ...words, partnerlink: partnerLink })
  return names.find(known => known === meant || shorten(known) === meant)
}

/** Providers of the program that embeds the wrapper: type name, `<Type>, <Assembly>` → provider. */
export type OwnProviders = Readonly<Record<string, Provider>>

/** Checks that each name can choose its provider. */
export function checkOwnNames(brand: Brand, own: OwnProviders): void {
  const taken = new Set<string>()
  for (const name of Object.keys(own)) {
    if (!readTypeName(name))
      throw new ProviderNameError(`The provider name "${name}" is not written "<Type>, <Assembly>".`)
    const folded = foldTypeName(name)
    if (taken.has(folded) || findBuiltInProvider(brand, name))
      throw new ProviderNameError(`The provider name "${name}" is taken by another provider of the wrapper.`)
    taken.add(folded)
  }
}

const inputs = {
  arguments: 'arguments of the command line',
  legacyXml: 'an XML file',
  partnerLink: 'a signed payload',
} as const

/** @throws {ProviderMismatchError} when a launch brings one of these inputs */
function refuse(brand: Brand, args: LaunchArguments, ...foreign: readonly (keyof typeof inputs)[]): void {
  const isThere = {
    legacyXml: args.xmlFile !== undefined,
    partnerLink: args.payload !== undefined,
    arguments: args.hasCommands,
  }
  const brought = foreign.find(input => isThere[input])
  if (brought === undefined) return
  const misspelled = args.unknown.find(({ meant }) => meant === 'provider')?.name
  throw new ProviderMismatchError(inputs[brought], brand.providers[brought], brand.configFile, misspelled)
}

/** The command-line provider: `key=value` arguments (spec 4.3). */
function createArgumentsProvider(brand: Brand): Provider {
  return {
    async provide(input) {
      const { arguments: args, culture, onDropped, onNoted } = input
      refuse(brand, args, 'legacyXml', 'partnerLink')
      return { commands: parseCommandLine(args, { brand, culture, onDropped, onNoted }) }
    },
  }
}

/** The named-pipe provider: a launch without commands, which come over the pipe (spec 4.5). */
function createNamedPipeProvider(brand: Brand): Provider {
  return {
    async provide({ arguments: args }) {
      refuse(brand, args, 'legacyXml', 'partnerLink', 'arguments')
      return { commands: [] }
    },
  }
}

/**
 * The XML provider: the file named by the launch, relative to the launching process's directory (spec 4.4). It is
 * deleted after the web app has taken its commands. A file that fails stays.
 */
export function createXmlProvider(brand: Brand, log?: DebugLog): Provider {
  return {
    async provide(input) {
      const { arguments: args, launch, onDropped, onNoted, signal } = input
      refuse(brand, args, 'partnerLink')
      if (args.xmlFile === undefined) {
        refuse(brand, args, 'arguments')
        return { commands: [] }
      }
      for (const [name, value] of Object.entries(args.values))
        if (value.trim() !== '') onDropped?.({ path: name, problem: 'is not read beside an XML file' })
      const path = resolveLaunchPath(launch.workingDirectory, args.xmlFile)
      const file = await readXmlFile(path, maxXmlBytes, signal)
      const open = log?.exchanges?.begin({ kind: 'file', direction: 'in', content: file.bytes })
      const read = parseReported(
        () => parseXmlInput(file.bytes, { brand, culture: input.culture, onDropped, onNoted }),
        open,
      )
      return {
        commands: read.commands,
        async taken() {
          if (read.deleteAfterRead) await file.deleteIfSame()
        },
      }
    },
  }
}

/** Reports what was read, or why it could not be read. */
function parseReported(parse: () => XmlInput, open: OpenExchange | undefined): XmlInput {
  try {
    const input = parse()
    open?.end('ok')
    return input
  } catch (error) {
    open?.end(isServiceLinkError(error) ? error.code : 'ERR_INTERNAL')
    throw error
  }
}

/**
 * The partner-link provider: the argument `payload=@<file>`, with the path of a file that holds a signed JWT, relative to the
 * launching process's directory. The window posts the payload, then the other commands of the launch run. Then the file is
 * deleted, like an XML file.
 */
export function createPartnerLinkProvider(brand: Brand, log?: DebugLog): Provider {
  return {
    async provide(input) {
      const { arguments: args, launch, onDropped, signal } = input
      refuse(brand, args, 'legacyXml')
      const { payload } = args
      if (payload === undefined) {
        if (args.hasCommands) throw new ArgsError([{ path: 'payload', problem: 'is missing' }])
        return { commands: [] }
      }
      const commands = parseCommandLine(args, { culture: input.culture, onDropped })
      const path = resolveLaunchPath(launch.workingDirectory, payload.slice(1).trim())
      const file = await readPayloadFile(path, signal)
      log?.exchanges?.note({ kind: 'file', direction: 'in', content: file.payload })
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

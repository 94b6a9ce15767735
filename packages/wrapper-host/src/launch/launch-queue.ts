import { type LaunchEnd, readLaunchArguments, readLaunchWords } from '@service-link/cli-args'
import {
  type ArgsIssue,
  findTextProblem,
  isServiceLinkError,
  type Launch,
  machineCulture,
} from '@service-link/protocol-core'
import { Deadline, type LimitingSignal, waitFor } from '@service-link/protocol-core/time'
import type { CommandRunner } from '../command/command-runner.ts'
import type { ReportEvent } from '../log/events.ts'
import type { DebugLog, OpenExchange } from '../log/exchange-log.ts'
import type { CommandWay, LaunchParameters } from '../web-app/page/messages.ts'
import type { LaunchTicket } from './launch-offers.ts'
import { type ProvidedCommands, ProviderRefusalError, ProviderTimeoutError } from './provider.ts'
import type { ChosenProvider, ProviderTable } from './provider-table.ts'
import { checkSignedPayload, checkSsoUrl } from './signed-payload.ts'

export interface LaunchQueueOptions {
  readonly runner: CommandRunner
  readonly providers: ProviderTable
  readonly ssoUrl: string
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string | undefined
  /**
   * Longest wait in milliseconds for a provider to load and read a launch, and again to clear up. Default 20,000: the launching
   * process waits 30,000 for its answer.
   */
  readonly providerTimeoutMs?: number
  /** Aborts when the wrapper closes. Launches that are being read are refused with its reason. */
  readonly signal?: AbortSignal
  readonly report?: ReportEvent
  readonly log?: DebugLog | undefined
}

/**
 * Takes launches and carries them out, both in order. A provider reads a launch before the queue takes it. The queue is in memory
 * only: after a crash, an outdated person in focus would be worse than a lost launch.
 */
export class LaunchQueue {
  readonly #options: LaunchQueueOptions
  #taking: Promise<unknown> = Promise.resolve()
  #startParameters: LaunchParameters | undefined

  constructor(options: LaunchQueueOptions) {
    this.#options = options
  }

  /** Parameters of the first launch, which starts the wrapper. The page gets them when it connects. */
  get startParameters(): LaunchParameters {
    return this.#startParameters ?? {}
  }

  /** Reads a launch, and takes it after the earlier ones. */
  async take(launch: Launch, answered?: Promise<void>): Promise<LaunchTicket> {
    const { argv } = launch
    const open = this.#options.log?.exchanges?.begin({
      kind: 'launch',
      direction: 'in',
      content: argv.join(' '),
      args: argv,
    })
    const take = () => this.#take(launch, answered, open)
    return open ? open.run(take) : take()
  }

  async #take(
    launch: Launch,
    answered: Promise<void> | undefined,
    open: OpenExchange | undefined,
  ): Promise<LaunchTicket> {
    const { report = () => undefined } = this.#options
    const { id: launchId } = launch
    const understood = this.#understand(launch)
    const taken = this.#taking.then(async () => this.#enqueue(launch, await understood, answered))
    understood.catch(() => undefined)
    this.#taking = taken.catch(() => undefined)
    try {
      const ticket = await taken
      report({ type: 'launch-taken', launchId })
      ticket.completed.then(
        ({ notice }) => {
          report({ type: 'launch-done', launchId })
          open?.end('ok', notice)
        },
        error => {
          report({ type: 'launch-failed', launchId, code: codeOf(error) })
          open?.end(codeOf(error), sentenceOf(error))
        },
      )
      return ticket
    } catch (error) {
      report({ type: 'launch-refused', launchId, code: codeOf(error) })
      open?.end(codeOf(error), sentenceOf(error))
      throw error
    }
  }

  async #understand(launch: Launch): Promise<Understood> {
    const args = readLaunchWords(launch.argv)
    const { providers, culture, report } = this.#options
    using limit = this.#limit()
    const { signal } = limit
    const { ends } = args
    const { provider, isOwn } = ends ? endOf(ends) : await waitFor(providers.choose(args), signal)
    // Only integrators' providers take words. Elsewhere a word is a value without its quotes.
    if (!isOwn) readLaunchArguments(launch.argv)
    const refusal = (sentence: string) => new ProviderRefusalError(sentence)
    const source = args.xmlFile === undefined ? 'command line' : 'XML file'
    const notes: string[] = []
    const onDropped = ({ path: field, problem }: ArgsIssue) => {
      report?.({ type: 'field-dropped', source, field, problem })
      notes.push(`${field} was left out: it ${problem}.`)
    }
    const onNoted = ({ path: field, problem }: ArgsIssue) => {
      report?.({ type: 'field-noted', source, field, problem })
      notes.push(`${field} ${problem}${problem.endsWith('?') ? '' : '.'}`)
    }
    const input = {
      launch,
      arguments: args,
      get culture() {
        return culture ?? machineCulture()
      },
      onDropped,
      onNoted,
      signal,
      refusal,
    }
    const provided = await waitFor(provider.provide(input), signal)
    const ignored = isOwn ? [] : args.unknown.flatMap(({ note = [] }) => note)
    ignored.forEach(onNoted)
    const { payload, commands } = provided
    if (!isOwn && notes.length > 0 && payload === undefined && commands.length === 0)
      notes.push('Nothing is selected, searched or opened.')
    if (provided.payload !== undefined) {
      checkSignedPayload(provided.payload)
      checkSsoUrl(this.#options.ssoUrl)
    }
    const parameters = isOwn ? provided.launchParameters : args.otherValues
    const via = isOwn ? undefined : args.xmlFile === undefined ? 'arguments' : 'file'
    return { ...provided, launchParameters: readParameters(parameters), via, waits: args.wait, notes }
  }

  #limit(): LimitingSignal {
    const { providerTimeoutMs = 20_000, signal } = this.#options
    return new Deadline(providerTimeoutMs, signal).limit(() => new ProviderTimeoutError(providerTimeoutMs))
  }

  #enqueue(
    launch: Launch,
    { waits, notes, taken, launchParameters, ...provided }: Understood,
    answered: Promise<void> | undefined,
  ): LaunchTicket {
    const { runner, report } = this.#options
    runner.throwIfClosing()
    const isFirst = this.#startParameters === undefined
    this.#startParameters ??= launchParameters ?? {}
    const runnable = isFirst ? provided : { ...provided, launchParameters }
    const notice = sentencesOf(notes)
    const completed = runner.runLaunch(runnable, answered).then(async focusNumber => {
      try {
        using limit = this.#limit()
        await waitFor(Promise.resolve(taken?.()), limit.signal)
      } catch (error) {
        report?.({ type: 'launch-leftover', launchId: launch.id, code: codeOf(error) })
        if (isServiceLinkError(error)) notes.push(error.message)
      }
      return { notice: sentencesOf(notes), focusNumber }
    })
    return { waits, completed, ...(notice !== undefined && { notice }) }
  }
}

/** Gives the end of a focus or session, whichever provider the launch or the setting names. */
function endOf(end: LaunchEnd): ChosenProvider {
  return { isOwn: false, provider: { provide: async () => ({ commands: [end] }) } }
}

const sentencesOf = (notes: readonly string[]) => (notes.length > 0 ? notes.join(' ') : undefined)

interface Understood extends ProvidedCommands {
  readonly via: CommandWay | undefined
  readonly waits: boolean
  readonly notes: string[]
}

const maxParameters = 64
/** Longest name of a parameter, in characters. */
const maxNameLength = 64

/** Leaves out what is above the limits, and switches such as `--lang=nb`. */
function readParameters(values: LaunchParameters = {}): LaunchParameters | undefined {
  const kept = Object.entries(values)
    .filter(
      ([name, value]) =>
        !name.startsWith('-') && !findTextProblem(name, maxNameLength) && !findTextProblem(value),
    )
    .slice(0, maxParameters)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** Other errors may name persons. */
function codeOf(error: unknown): string {
  return isServiceLinkError(error) ? error.code : 'ERR_INTERNAL'
}

function sentenceOf(error: unknown): string | undefined {
  return isServiceLinkError(error) ? error.message : undefined
}

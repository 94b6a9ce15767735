import { isAbsolute } from 'node:path'
import { readLaunchWords } from '@service-link/cli-args'
import type { HandOffOutcome } from '@service-link/protocol-core'
import {
  assertParameter,
  type Launch,
  launchSchema,
  ParameterError,
  readBy,
} from '@service-link/protocol-core'
import { locateFolders } from '../settings/wrapper-folders.ts'
import { becomeWrapper, type RunningWrapper } from './become-wrapper.ts'
import { claimInstance } from './claim-instance.ts'
import { failStart } from './failed-start.ts'
import type { HeldInstance } from './hold-instance.ts'
import { locateInstance } from './instance-place.ts'
import { assertSupportedNode } from './supported-node.ts'
import { type CreateWrapperOptions, readOptions, type StartOptions } from './wrapper-options.ts'

/** The end of a start: the running wrapper has the launch, or this process is now the wrapper. */
export type WrapperStart =
  | { readonly role: 'handed-off'; readonly outcome: HandOffOutcome }
  | { readonly role: 'wrapper'; readonly wrapper: RunningWrapper }

/** A wrapper that can be started. */
export interface Wrapper {
  /**
   * Hands the launch to this user's running wrapper, or becomes the wrapper. Never exits the process.
   *
   * @throws {ServiceLinkError} when nothing was started and the launch was not taken. Its code names the fault: arguments, settings,
   *   engine, per-user folder or instance. The log has `start-failed`. `ERR_CLOSING`: the wrapper was closed before its window was
   *   open
   */
  start(launch: Launch, options?: StartOptions): Promise<WrapperStart>
}

/** A launch that only ends something starts no wrapper. */
const nothingToEnd = 'No wrapper is running: nobody is signed in or in focus.'

/** A running wrapper refuses what its schema does not read, so a first start refuses it, too. */
function assertLaunch(launch: Launch): void {
  assertParameter('launch', launch, 'closed', { id: 'text', argv: 'list', workingDirectory: 'text' })
  const [issue] = readBy(launchSchema, launch).issues ?? []
  if (issue) throw new ParameterError(`launch.${issue.path}`, issue.problem, `${issue.problem}.`)
  if (!isAbsolute(launch.workingDirectory))
    throw new ParameterError(
      'launch.workingDirectory',
      'an absolute path',
      'must be an absolute path, such as process.cwd().',
    )
}

/** Whether a launch only ends something. Then, and when its arguments are wrong, the next process can be the wrapper. */
async function endsOnly({ argv }: Launch, claim: HeldInstance): Promise<boolean> {
  let isWrapper = false
  try {
    isWrapper = readLaunchWords(argv).ends === undefined
    return !isWrapper
  } finally {
    if (!isWrapper) await claim.release()
  }
}

/**
 * Puts a wrapper together: instance, launches, providers, pipe, bridge and window.
 *
 * @throws {NodeVersionError} when Node is older than the wrapper needs
 * @throws {ParameterError} when an option has the wrong type, such as a text instead of a function
 * @throws {VersionError} when `version` is not four numbers
 * @throws {OptionError} when `installedAs` does not begin with an absolute path
 * @throws {ProviderNameError} when a name in `providers` is no type name, a built-in one, or given twice
 * @example
 * ```ts
 * import { randomUUID } from 'node:crypto'
 * import { createWrapper } from '@service-link/wrapper-host'
 *
 * const launch = { id: randomUUID(), argv: process.argv.slice(2), workingDirectory: process.cwd() }
 * const start = await createWrapper().start(launch)
 * if (start.role === 'wrapper') await start.wrapper.closed
 * ```
 */
export function createWrapper(options: CreateWrapperOptions = {}): Wrapper {
  assertSupportedNode()
  const checked = readOptions(options)
  const { brand, version } = checked
  return {
    async start(launch, startOptions = {}) {
      assertLaunch(launch)
      assertParameter('options', startOptions, 'closed', { signal: 'signal?' })
      const folders = options.folders ?? locateFolders(brand)
      try {
        const place = locateInstance({ application: brand.application, userFolder: folders.userFolder })
        const claim = await claimInstance(place, { launch }, startOptions)
        if (claim.role === 'handed-off') return claim
        if (await endsOnly(launch, claim))
          return { role: 'handed-off', outcome: { status: 'completed', notice: nothingToEnd } }
        return {
          role: 'wrapper',
          wrapper: await becomeWrapper(claim, launch, { ...checked, folders, ...startOptions }),
        }
      } catch (error) {
        if (startOptions.signal?.aborted) throw error
        throw await failStart(error, { brand, folders, version })
      }
    },
  }
}

import { isAbsolute, join } from 'node:path'
import { assertParameter } from '@service-link/protocol-core/errors'
import { Deadline, milliseconds } from '@service-link/protocol-core/time'
import { EventListeners } from '@service-link/window-engine'
import { OptionError } from '../settings/wrapper-folders.ts'
import { neutralIcon, packedIcon } from '../window/brand-icon.ts'
import {
  type Environment,
  findDesktopProblem,
  findProgram,
  programEnvironment,
  runnableProgram,
} from './find-program.ts'
import { type Tray, TrayError, type TrayEvents, type TrayIcon, type TrayMenu } from './tray.ts'
import { TrayProgram, writeChanges, writeMenu } from './tray-program.ts'

/** Options of {@link createSystray}. */
export interface SystrayOptions {
  /**
   * Absolute path of a folder of this user and wrapper only, such as `<user folder>/tray`. If this user cannot run the installed
   * program, a copy goes there. Made when needed.
   */
  readonly folder: string
  /**
   * Picture: PNG, 32 pixels wide and high; an icon file (`.ico`) on Windows. Default: the brand's of a packed wrapper, else a
   * neutral window.
   */
  readonly icon?: Uint8Array | undefined
  /** Absolute path of the program. Default: the one of the package `systray2`. */
  readonly executable?: string | undefined
  /** Longest wait for the program to be ready, in milliseconds. Default 10,000. */
  readonly readyTimeoutMs?: number | undefined
  /** Variables of the program, which name display and message bus. Default `process.env`. */
  readonly environment?: Environment | undefined
}

/**
 * Shows an icon with the programs of the package `systray2` (optional dependency) for Windows, macOS and Linux. The package's
 * JavaScript is not used, because it prefers a program in the working directory.
 *
 * @throws {ParameterError} when an option is of another type or not known
 * @throws {OptionError} when `folder` or `executable` is not an absolute path
 * @example
 * ```ts
 * import { join } from 'node:path'
 * import { createSystray, locateFolders } from '@service-link/wrapper-host'
 * import { defaultBrand } from '@service-link/protocol-core/brand'
 *
 * const tray = createSystray({ folder: join(locateFolders(defaultBrand).userFolder, 'tray') })
 * ```
 */
export function createSystray(options: SystrayOptions): Tray {
  assertParameter('options', options, 'closed', {
    folder: 'text',
    icon: 'object?',
    executable: 'text?',
    readyTimeoutMs: milliseconds,
    environment: 'object?',
  })
  assertParameter('options.icon', options.icon, 'object?', { BYTES_PER_ELEMENT: 'number' })
  // A relative path would lead into the working directory.
  for (const name of ['folder', 'executable'] as const)
    if (options[name] !== undefined && !isAbsolute(options[name]))
      throw new OptionError(name, 'an absolute path')
  const { environment = process.env, readyTimeoutMs = 10_000, folder } = options
  return {
    name: 'systray2',
    async open(menu, signal) {
      signal?.throwIfAborted()
      const problem = await findDesktopProblem(environment)
      if (problem) throw problem
      const executable = options.executable ?? (await runnableProgram(await findProgram(), folder))
      const variables = await programEnvironment(environment, join(folder, 'lib'))
      const icon = options.icon ?? packedIcon() ?? neutralIcon(process.platform === 'win32' ? 'ico' : 'png')
      signal?.throwIfAborted()
      const program = new TrayProgram(executable, variables)
      try {
        await new Deadline(readyTimeoutMs, signal).waitFor(
          program.ready,
          () => new TrayError('timeout', `The icon was not ready within ${readyTimeoutMs} ms.`),
        )
      } catch (error) {
        await program[Symbol.asyncDispose]()
        throw error
      }
      program.write([writeMenu(menu, icon)])
      return iconOf(program, menu)
    },
  }
}

function iconOf(program: TrayProgram, opened: TrayMenu): TrayIcon {
  const listeners = new EventListeners<TrayEvents>()
  let shown = opened
  let isAsked = false
  program.onClicked = place => {
    const item = shown.items[place]
    // An open menu still offers items that are disabled by now.
    if (item?.isEnabled && !isAsked) listeners.emit('chosen', { action: item.action })
  }
  void program.ended.then(() => {
    if (!isAsked) listeners.emit('lost', {})
    listeners.clear()
  })
  return {
    update(menu) {
      program.write(writeChanges(shown, menu))
      shown = menu
    },
    on: (name, listener) => listeners.on(name, listener),
    async [Symbol.asyncDispose]() {
      isAsked = true
      await program[Symbol.asyncDispose]()
    },
  }
}

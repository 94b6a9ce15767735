import { join } from 'node:path'
import { Deadline } from '@service-link/protocol-core/time'
import { EventListeners } from '@service-link/window-engine'
import { neutralPicture, packedIcon } from '../window/brand-icon.ts'
import {
  type Environment,
  findDesktopProblem,
  findProgram,
  programEnvironment,
  runnableProgram,
} from './find-program.ts'
import { type Tray, TrayError, type TrayEvents, type TrayIcon, type TrayMenu } from './tray.ts'
import { TrayProgram, writeChanges, writeMenu } from './tray-program.ts'

/** The options of `createTray` that concern a program. */
interface SystrayOptions {
  readonly folder: string
  readonly icon: Uint8Array | undefined
  readonly executable: string | undefined
  readonly readyTimeoutMs: number
  readonly environment: Environment
}

/** Shows an icon with the programs of the package `systray2`. */
export function createSystray(options: SystrayOptions): Tray {
  const { environment, readyTimeoutMs, folder } = options
  return {
    name: 'systray2',
    async open(menu, signal) {
      signal?.throwIfAborted()
      const problem = await findDesktopProblem(environment)
      if (problem) throw problem
      const executable = options.executable ?? (await runnableProgram(await findProgram(), folder))
      const variables = await programEnvironment(environment, join(folder, 'lib'))
      const icon = options.icon ?? packedIcon() ?? neutralPicture()
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

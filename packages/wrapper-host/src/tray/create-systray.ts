import { isAbsolute, join } from 'node:path'
import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { OptionError } from '../settings/option-error.ts'
import { EventListeners } from '../window/event-listeners.ts'
import { findProgram, runnableProgram } from './find-program.ts'
import { packedIcon } from './packed-icon.ts'
import { trayPlatform } from './platform/index.ts'
import type { Environment, TrayPlatform } from './platform/tray-platform.ts'
import { privateFolder } from './private-folder.ts'
import { writeChanges, writeMenu } from './systray-protocol.ts'
import type { Tray, TrayEvents, TrayIcon, TrayMenu } from './tray.ts'
import { TrayError } from './tray-error.ts'
import { TrayProgram } from './tray-program.ts'

/** Options of {@link createSystray}. */
export interface SystrayOptions {
  /**
   * Absolute path of a folder of this user and wrapper only, such as `<user folder>/tray`: for a copy of the program where the
   * one that is installed cannot be run. Made when it is needed.
   */
  readonly folder: string
  /** The icon's picture: PNG, 32 pixels wide and high; an icon file (`.ico`) on Windows. Default: that of a packed wrapper's brand, else a neutral window. */
  readonly icon?: Uint8Array
  /** Absolute path of the program, where a packaged wrapper brings it along. Default: the one of the package `systray2`. */
  readonly executable?: string
  /** Longest wait for the program to be ready, in milliseconds. Default 10,000. */
  readonly readyTimeoutMs?: number
  /** Variables in which display and message bus are looked for, and that the program gets. Default `process.env`. */
  readonly environment?: Environment
}

/**
 * An icon by the programs that the package `systray2` (optional dependency) brings for Windows, macOS and Linux. Its
 * JavaScript is not used: it takes a program out of the working directory before its own.
 *
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
  assertParameter('options', options, 'object', {
    folder: 'text',
    executable: 'text?',
    readyTimeoutMs: 'number?',
    environment: 'object?',
  })
  if (options.icon !== undefined && !ArrayBuffer.isView(options.icon))
    throw new ParameterError('options.icon', 'a Uint8Array')
  // A relative one would be looked for where the wrapper was started.
  for (const name of ['folder', 'executable'] as const)
    if (options[name] !== undefined && !isAbsolute(options[name]))
      throw new OptionError(name, 'an absolute path')
  const platform = trayPlatform()
  const { environment = process.env, readyTimeoutMs = 10_000, folder } = options
  return {
    name: 'systray2',
    async open(menu, signal) {
      signal?.throwIfAborted()
      const problem = await platform.problem(environment)
      if (problem) throw problem
      const executable =
        options.executable ?? (await runnableProgram(platform, await findProgram(platform), folder))
      const programEnvironment = await platform.programEnvironment(environment, () =>
        privateFolder(join(folder, 'lib')),
      )
      const icon = options.icon ?? packedIcon() ?? (await neutralIcon(platform))
      signal?.throwIfAborted()
      const program = new TrayProgram(executable, programEnvironment)
      try {
        await ready(program, readyTimeoutMs, signal)
      } catch (error) {
        await program[Symbol.asyncDispose]()
        throw error
      }
      program.write([writeMenu(menu, icon)])
      return iconOf(program, menu)
    },
  }
}

async function neutralIcon({ iconFormat }: TrayPlatform): Promise<Uint8Array> {
  const { drawIcon } = await import('./icon/draw-icon.ts')
  if (iconFormat === 'png') return (await import('./icon/encode-png.ts')).encodePng(drawIcon())
  return (await import('./icon/encode-ico.ts')).encodeIco(drawIcon())
}

/** Settles within the time, whatever the program does. */
function ready(program: TrayProgram, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => settle(() => reject(signal?.reason))
    const timer = setTimeout(
      () => settle(() => reject(new TrayError('timeout', `The icon was not ready within ${timeoutMs} ms.`))),
      timeoutMs,
    )
    const stops = [
      program.on('line', ({ type }) => type === 'ready' && settle(resolve)),
      program.on('ended', () =>
        settle(() => reject(new TrayError('ended', 'The program that shows the icon ended at once.'))),
      ),
    ]
    signal?.addEventListener('abort', abort, { once: true })

    function settle(end: () => void): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      for (const stop of stops) stop()
      end()
    }
  })
}

function iconOf(program: TrayProgram, opened: TrayMenu): TrayIcon {
  const listeners = new EventListeners<TrayEvents>()
  let shown = opened
  let isAsked = false
  program.on('line', line => {
    if (line.type !== 'clicked' || isAsked) return
    const item = shown.items[line.place]
    // One that was switched off while the menu was open may still be chosen in it.
    if (item?.isEnabled) listeners.emit('chosen', { action: item.action })
  })
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

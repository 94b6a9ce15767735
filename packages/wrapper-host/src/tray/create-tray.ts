import { isAbsolute } from 'node:path'
import { assertParameter } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'
import { OptionError } from '../settings/wrapper-folders.ts'
import { createSystray } from './create-systray.ts'
import { createWindowsTray } from './create-windows-tray.ts'
import type { Environment } from './find-program.ts'
import type { Tray } from './tray.ts'

/** Options of {@link createTray}. */
export interface TrayOptions {
  /**
   * Absolute path of a folder of this user and wrapper only, such as `<user folder>/tray`. If this user cannot run the installed
   * program, a copy goes there. Made when needed; not on Windows.
   */
  readonly folder: string
  /**
   * Picture: PNG, 32 pixels wide and high; or an icon file (`.ico`) on Windows. Default: the brand's of a packed wrapper, else a
   * neutral window.
   */
  readonly icon?: Uint8Array | undefined
  /** On Windows: the same for a light taskbar. Default: `icon`. */
  readonly iconOnLight?: Uint8Array | undefined
  /** Absolute path of the program. Default: the one of the package `systray2`. Not on Windows. */
  readonly executable?: string | undefined
  /** Longest wait for the icon, in milliseconds. Default 10,000. */
  readonly readyTimeoutMs?: number | undefined
  /** Variables of the program, which name display and message bus. Default `process.env`. Not on Windows. */
  readonly environment?: Environment | undefined
}

/**
 * Shows an icon: on Windows from this process, by `node:ffi` (Node 26); elsewhere with a program of the package `systray2` (optional
 * dependency). That package's JavaScript is not used, because it prefers a program in the working directory.
 *
 * @throws {ParameterError} when an option is of another type or not known
 * @throws {OptionError} when `folder` or `executable` is not an absolute path
 * @example
 * ```ts
 * import { join } from 'node:path'
 * import { createTray, locateFolders } from '@service-link/wrapper-host'
 * import { defaultBrand } from '@service-link/protocol-core/brand'
 *
 * const tray = createTray({ folder: join(locateFolders(defaultBrand).userFolder, 'tray') })
 * ```
 */
export function createTray(options: TrayOptions): Tray {
  assertParameter('options', options, 'closed', {
    folder: 'text',
    icon: 'object?',
    iconOnLight: 'object?',
    executable: 'text?',
    readyTimeoutMs: milliseconds,
    environment: 'object?',
  })
  for (const name of ['icon', 'iconOnLight'] as const)
    assertParameter(`options.${name}`, options[name], 'object?', { BYTES_PER_ELEMENT: 'number' })
  // A relative path would lead into the working directory.
  for (const name of ['folder', 'executable'] as const)
    if (options[name] !== undefined && !isAbsolute(options[name]))
      throw new OptionError(name, 'an absolute path')
  const {
    folder,
    icon,
    iconOnLight,
    executable,
    readyTimeoutMs = 10_000,
    environment = process.env,
  } = options
  if (process.platform === 'win32') return createWindowsTray({ icon, iconOnLight, readyTimeoutMs })
  return createSystray({ folder, icon, executable, readyTimeoutMs, environment })
}

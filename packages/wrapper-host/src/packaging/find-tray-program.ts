import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findProgram, type InstalledProgram } from '../tray/find-program.ts'
import { trayPlatform } from '../tray/platform.ts'
import { TrayError } from '../tray/tray.ts'
import type { PackTarget } from './pack-target.ts'

/** The program that shows the icon, with the licence of its package. */
export interface FoundTrayProgram extends InstalledProgram {
  readonly licence: string
}

/**
 * The program of the optional dependency that shows the icon in the notification area of a platform.
 *
 * @returns nothing when it is not installed
 */
export async function findTrayProgram({ isWindows }: PackTarget): Promise<FoundTrayProgram | undefined> {
  try {
    const found = await findProgram(trayPlatform(isWindows ? 'win32' : 'linux'), 'x64')
    return {
      ...found,
      licence: await readFile(join(dirname(found.file), '..', 'LICENSE'), 'utf8').catch(() => 'MIT'),
    }
  } catch (error) {
    if (error instanceof TrayError) return undefined
    throw error
  }
}

import { dirname, join } from 'node:path'
import { type Brand, type InstallRecord, installFileName } from '@service-link/protocol-core'
import { replaceFile } from '../files/replace-file.ts'
import { installPlatform } from './platform/index.ts'
import type { InstallPlatform } from './platform/install-platform.ts'

/** What {@link noteInstallation} notes. */
export interface Installation {
  readonly brand: Brand
  readonly version: string
  /** What starts the program: absolute path of its executable, then arguments before those of a launch. Its last part lies in the folder of the wrapper. */
  readonly command: readonly string[]
  readonly userFolder: string
}

/**
 * Notes where this wrapper is, for programs that start it (specification 4.2): in the file `install.json` of the per-user folder, and
 * on Windows in the registry.
 *
 * @throws the file system's error, or one of the registry, with a `code`
 */
export async function noteInstallation(
  { brand, version, command, userFolder }: Installation,
  platform: Pick<InstallPlatform, 'note'> = installPlatform,
): Promise<void> {
  const record: InstallRecord = { path: dirname(command.at(-1) ?? ''), version, command: [...command] }
  await replaceFile(join(userFolder, installFileName), `${JSON.stringify(record, null, 2)}\n`)
  await platform.note(brand, record)
}

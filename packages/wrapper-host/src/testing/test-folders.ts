import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Brand } from '@service-link/protocol-core'
import { PrivateFolderError } from '../files/access.ts'
import { failureReason } from '../log/failure-reason.ts'
import { writeUserConfig } from '../settings/config-file.ts'
import { OptionError, type WrapperFolders } from '../settings/wrapper-folders.ts'
import type { ResourceOwner } from '../window/resource-owner.ts'
import type { TestWrapperOptions } from './test-wrapper-options.ts'

/** Makes folders. They are removed at the end. */
export async function makeTestFolders(owner: ResourceOwner): Promise<WrapperFolders> {
  const folder = await mkdtemp(join(tmpdir(), 'test-wrapper-')).catch(error => {
    throw new PrivateFolderError(
      tmpdir(),
      `cannot hold the files of a test (${failureReason(error)})`,
      `Set ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'} to the absolute path of a folder that this user may write to.`,
    )
  })
  owner.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return { applicationRoot: join(folder, 'root'), userFolder: join(folder, 'user') }
}

/** Writes the configuration file, unless there is one. */
export async function writeTestConfig(
  { applicationRoot }: WrapperFolders,
  brand: Brand,
  settings: TestWrapperOptions['settings'],
): Promise<void> {
  const given = Object.entries(settings ?? {}).filter(([, text]) => text !== undefined)
  const texts = { AppUrl: 'https://webapp.invalid/', CheckForUpdates: 'False', ...Object.fromEntries(given) }
  const content = writeUserConfig(brand, texts)
  await mkdir(applicationRoot, { recursive: true, mode: 0o700 })
  const file = join(applicationRoot, brand.configFile)
  const present = await readFile(file, 'utf8').catch(() => undefined)
  if (present === undefined) await writeFile(file, content)
  else if (settings && present !== content)
    throw new OptionError(
      'settings',
      `${file} to have the same texts. Leave out settings, or remove the file`,
    )
}

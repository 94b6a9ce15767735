import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand as brand } from '@service-link/protocol-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { installerCommand } from '../src/cli/installer-command.ts'
import { deliveredSettings } from '../src/settings/wrapper-folders.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const { execPath } = process
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
  const userFolder = join(folder.path, 'user')
  vi.stubEnv('SERVICE_WRAPPER_DATA', userFolder)
  // The settings for everybody lie beside the executable, which is Node's here.
  process.execPath = join(folder.path, brand.executable)
  await writeFile(join(folder.path, deliveredSettings(brand)), 'delivered')
})

afterEach(async () => {
  process.execPath = execPath
  vi.unstubAllEnvs()
  await folder[Symbol.asyncDispose]()
})

test('an installation makes the settings of those that were delivered', async () => {
  expect(await installerCommand(['settle'], brand)).toBe(0)
  expect(await readFile(join(folder.path, brand.configFile), 'utf8')).toBe('delivered')
})

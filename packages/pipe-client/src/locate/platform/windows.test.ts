import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { afterEach, expect, test, vi } from 'vitest'
import { windowsLocate } from './windows.ts'

afterEach(() => void vi.unstubAllEnvs())

test('the registry is passed over where there is no folder for temporary files', async () => {
  const missing = join(import.meta.dirname, 'nowhere')
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, missing)
  expect(await windowsLocate.readRegistered(defaultBrand, process.env)).toBeUndefined()
})

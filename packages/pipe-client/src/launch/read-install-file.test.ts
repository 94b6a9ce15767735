import files, { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readInstallFile } from './read-install-file.ts'

const installed = { path: resolve('wrapper'), version: '3.0.0.0', command: [resolve('wrapper/run')] }
const failures: string[] = []
const { open } = files

/** Makes opening any file fail with the next of these codes, until none is left. */
function failWith(...codes: readonly string[]): void {
  failures.push(...codes)
  vi.spyOn(files, 'open').mockImplementation(async (...given) => {
    const code = failures.shift()
    if (code) throw Object.assign(new Error(code), { code })
    return open(...given)
  })
  syncBuiltinESMExports()
}

afterEach(() => {
  failures.length = 0
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

async function ownFile() {
  const folder = await mkdtemp(join(tmpdir(), 'own-file-'))
  const file = join(folder, 'install.json')
  await writeFile(file, JSON.stringify(installed), { mode: 0o600 })
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

test.each(['EBUSY', 'EPERM', 'EMFILE', 'ENFILE'])(
  'a file that fails with %s for a moment is opened',
  async code => {
    await using own = await ownFile()
    failWith(code, code)
    expect(await readInstallFile(own.file)).toEqual(installed)
    expect(failures).toEqual([])
  },
)

test.each(['EBUSY', 'EACCES'])(
  'a file that keeps failing with %s counts as denied, not as missing',
  async code => {
    await using own = await ownFile()
    failWith(...Array.from({ length: 100 }, () => code))
    await expect(readInstallFile(own.file)).rejects.toMatchObject({
      code: 'ERR_PIPE_DENIED',
      message: expect.stringContaining(code),
    })
    expect(failures.length).toBeGreaterThan(0)
  },
)

test('a missing file counts as missing', async () => {
  await using own = await ownFile()
  expect(await readInstallFile(`${own.file}.other`)).toBeUndefined()
})

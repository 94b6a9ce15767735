import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAuthSecret } from './auth-secret.ts'

const makeFolder = () => mkdtempDisposable(join(tmpdir(), 'service-link-secret-'))

test('the key is made once, as a whole, and nothing else is left in the folder', async () => {
  await using folder = await makeFolder()
  const secret = readAuthSecret(folder.path)
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(readAuthSecret(folder.path)).toBe(secret)
  expect(await readdir(folder.path)).toEqual(['auth-secret'])
  expect(await readFile(join(folder.path, 'auth-secret'), 'utf8')).toBe(secret)
})

test.each(['', '\n', 'do-not-print', 'x'.repeat(31)])('a stored key of %j stops the start', async stored => {
  await using folder = await makeFolder()
  await writeFile(join(folder.path, 'auth-secret'), stored)
  const read = () => readAuthSecret(folder.path)
  expect(read).toThrow(expect.objectContaining({ code: 'ERR_AUTH_SECRET' }))
  expect(read).toThrow(/auth-secret .* cookies.* Delete it/s)
  expect(read).not.toThrow(/do-not-print/)
  expect(await readFile(join(folder.path, 'auth-secret'), 'utf8')).toBe(stored)
})

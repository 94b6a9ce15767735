import fs from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { pipeKeyFileName } from '@service-link/protocol-core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ensurePipeKey, readPipeKey } from '../src/pipe/pipe-key.ts'
import { proveHello } from '../src/pipe/prove-hello.ts'
import { RememberedKey } from '../src/pipe/remembered-key.ts'
import { temporaryFolder } from './_temporary-folder.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** The file system refuses to open a file, as Windows does while a scanner for viruses has it; no system does so on demand. */
function refuseToOpen(file: string, code: string, times = Number.POSITIVE_INFINITY): { refusals: number } {
  const { openSync } = fs
  const seen = { refusals: 0 }
  vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
    if (path !== file || seen.refusals === times) return openSync(path, ...rest)
    seen.refusals++
    throw Object.assign(new Error(code), { code })
  })
  syncBuiltinESMExports()
  return seen
}

function openAgain(): void {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
}

async function madeKey() {
  const folder = await temporaryFolder()
  const file = join(folder.path, pipeKeyFileName)
  await ensurePipeKey(file)
  return { ...folder, file, key: new Uint8Array(await readFile(file)) }
}

const hello = { protocol: 1, version: '3.0.0.0', pid: 4711, capabilities: [], maxinflight: 64 }
const challenge = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'

describe('a key that cannot be read for a moment', () => {
  test.each(['EBUSY', 'EPERM', 'EACCES', 'EMFILE'])(
    'is waited for at a start, not replaced (%s)',
    async code => {
      await using made = await madeKey()
      const seen = refuseToOpen(made.file, code, 3)
      expect(() => readPipeKey(made.file)).toThrow(code)
      await ensurePipeKey(made.file)
      expect(seen.refusals).toBe(3)
      expect(readPipeKey(made.file)).toEqual(made.key)
    },
  )

  test('stays as it is when it remains so, and the start is told', async () => {
    await using made = await madeKey()
    refuseToOpen(made.file, 'EMFILE')
    await expect(ensurePipeKey(made.file)).rejects.toMatchObject({ code: 'EMFILE' })
    openAgain()
    expect(readPipeKey(made.file)).toEqual(made.key)
  })

  test('is made anew when its own user may never read it', async () => {
    await using made = await madeKey()
    refuseToOpen(made.file, 'EACCES')
    await ensurePipeKey(made.file)
    openAgain()
    expect(readPipeKey(made.file)).not.toEqual(made.key)
  })

  test('is remembered by a wrapper that has read it once', async () => {
    await using made = await madeKey()
    const ownKey = new RememberedKey(made.file)
    const proven = proveHello(hello, ownKey, challenge)
    expect(proven.proof).toHaveLength(43)
    refuseToOpen(made.file, 'EBUSY')
    expect(proveHello(hello, ownKey, challenge)).toEqual(proven)
    openAgain()
    await rm(made.file)
    expect(proveHello(hello, ownKey, challenge)).toEqual(hello)
    refuseToOpen(made.file, 'EBUSY')
    expect(() => proveHello(hello, ownKey, challenge)).toThrow(expect.objectContaining({ code: 'ERR_BUSY' }))
  })

  test('makes a wrapper that never read it ask for another try, rather than answer without a proof', async () => {
    await using made = await madeKey()
    const ownKey = new RememberedKey(made.file)
    refuseToOpen(made.file, 'EBUSY')
    expect(() => proveHello(hello, ownKey, challenge)).toThrow(expect.objectContaining({ code: 'ERR_BUSY' }))
    expect(proveHello(hello, ownKey, undefined)).toEqual(hello)
  })

  test('is none when something else stands in its place', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'file')
    await writeFile(file, 'x')
    expect(readPipeKey(join(file, pipeKeyFileName))).toBeUndefined()
    expect(readPipeKey(folder.path)).toBeUndefined()
  })
})

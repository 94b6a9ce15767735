import { createHmac, randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { defaultBrand, helloProofText, pipeKeyFileName } from '@service-link/protocol-core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ensurePipeKey, readPipeKey } from '../src/pipe/pipe-key.ts'
import { takePipePrefix } from '../src/testing/pipe-prefix.ts'
import { startTestWrapper } from '../src/testing/start-test-wrapper.ts'
import { memoryWrapper } from './_memory-wrapper.ts'
import { openSession } from './_session-pipe.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const challenge = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'

async function sayHello(address: string, args: object) {
  const { ask, socket } = await openSession(address)
  try {
    return await ask(1, 'hello', args)
  } finally {
    socket.destroy()
  }
}

const proofOf = (key: Uint8Array) =>
  createHmac('sha256', key)
    .update(helloProofText({ protocol: 1, pid: process.pid, challenge }))
    .digest('base64url')

describe('the key of the pipe', () => {
  test('is made once, of 32 random bytes, for this user alone', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'user', pipeKeyFileName)
    expect(readPipeKey(file)).toBeUndefined()
    await ensurePipeKey(file)
    const key = await readFile(file)
    expect(key).toHaveLength(32)
    await ensurePipeKey(file)
    expect(await readFile(file)).toEqual(key)
    expect(readPipeKey(file)).toEqual(new Uint8Array(key))
    if (process.platform !== 'win32') expect((await lstat(file)).mode & 0o777).toBe(0o600)
  })

  test('is one for wrappers that start at the same time', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, pipeKeyFileName)
    await Promise.all(Array.from({ length: 20 }, () => ensurePipeKey(file)))
    const key = readPipeKey(file)
    expect(key).toHaveLength(32)
    await ensurePipeKey(file)
    expect(readPipeKey(file)).toEqual(key)
  })

  test.each([
    ['is too short', (file: string) => writeFile(file, new Uint8Array(31), { mode: 0o600 })],
    ['is too long', (file: string) => writeFile(file, new Uint8Array(33), { mode: 0o600 })],
    ['is empty', (file: string) => writeFile(file, '', { mode: 0o600 })],
  ])('that %s is replaced', async (_, damage) => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, pipeKeyFileName)
    await damage(file)
    expect(readPipeKey(file)).toBeUndefined()
    await ensurePipeKey(file)
    expect(readPipeKey(file)).toHaveLength(32)
  })

  test.skipIf(process.platform === 'win32').each([
    [
      'others can read',
      async (file: string) => {
        await writeFile(file, new Uint8Array(32))
        await chmod(file, 0o644)
      },
    ],
    [
      'is a link',
      async (file: string) => {
        await writeFile(`${file}.other`, new Uint8Array(32), { mode: 0o600 })
        await symlink(`${file}.other`, file)
      },
    ],
  ])('that %s is replaced', async (_, expose) => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, pipeKeyFileName)
    await expose(file)
    expect(readPipeKey(file)).toBeUndefined()
    await ensurePipeKey(file)
    expect(readPipeKey(file)).not.toEqual(new Uint8Array(32))
    expect((await lstat(file)).mode).toBe(0o100600)
  })
})

describe('a wrapper', () => {
  afterEach(() => void vi.unstubAllEnvs())

  /** Where clients look for the key, until the end of the test. */
  async function keyFolder() {
    const folder = await temporaryFolder()
    const userFolder = join(folder.path, 'user')
    vi.stubEnv('SERVICE_WRAPPER_DATA', userFolder)
    return { ...folder, userFolder, file: join(userFolder, pipeKeyFileName) }
  }

  async function startInFolder({ path, userFolder }: { readonly path: string; readonly userFolder: string }) {
    const resources = new AsyncDisposableStack()
    const { prefix } = resources.use(takePipePrefix('key'))
    const brand = { ...defaultBrand, pipePrefix: prefix }
    const { wrapper, notices } = await memoryWrapper(brand, path, userFolder)
    const launch = { id: randomUUID(), argv: [], workingDirectory: '/' }
    const start = await wrapper.start(launch)
    if (start.role !== 'wrapper') throw new Error('A wrapper runs in folders that are new.')
    resources.use(start.wrapper)
    const { pipeAddress } = start.wrapper
    return { pipeAddress, notices, [Symbol.asyncDispose]: () => resources.disposeAsync() }
  }

  test('makes the key, and proves hello with it, also with one that has taken its place', async () => {
    await using folder = await keyFolder()
    const { file } = folder
    await using wrapper = await startInFolder(folder)
    const answer = async () => (await sayHello(wrapper.pipeAddress, { challenge })).Result
    const first = await readFile(file)
    expect(await answer()).toMatchObject({ protocol: 1, pid: process.pid, proof: proofOf(first) })
    await rm(file)
    expect(await answer()).not.toHaveProperty('proof')
    await ensurePipeKey(file)
    const second = await readFile(file)
    expect(second).not.toEqual(first)
    expect(await answer()).toMatchObject({ proof: proofOf(second) })
  })

  test('makes the key also where its folder is written in another way', async () => {
    await using folder = await keyFolder()
    await using _wrapper = await startInFolder({ ...folder, userFolder: `${folder.userFolder}${sep}` })
    expect(readPipeKey(folder.file)).toHaveLength(32)
  })

  test('starts without a key where none can be made, and says so', async () => {
    await using folder = await keyFolder()
    await mkdir(join(folder.file, 'in the way'), { recursive: true, mode: 0o700 })
    await using wrapper = await startInFolder(folder)
    expect(wrapper.notices.join('\n')).toContain('The key by which programs recognise')
    expect((await sayHello(wrapper.pipeAddress, { challenge })).Result).not.toHaveProperty('proof')
  })

  test('in folders of its own makes no key, and proves hello with the one that is where clients look', async () => {
    await using folder = await keyFolder()
    await using wrapper = await startTestWrapper()
    const answer = async () => (await sayHello(wrapper.pipeAddress, { challenge })).Result
    expect(await answer()).not.toHaveProperty('proof')
    await expect(lstat(folder.userFolder)).rejects.toMatchObject({ code: 'ENOENT' })
    await ensurePipeKey(folder.file)
    expect(await answer()).toMatchObject({ proof: proofOf(await readFile(folder.file)) })
  })

  test('proves nothing to whoever does not ask, and to no challenge that is none', async () => {
    await using folder = await keyFolder()
    await ensurePipeKey(folder.file)
    await using wrapper = await startTestWrapper()
    for (const args of [{}, { challenge: null }])
      expect((await sayHello(wrapper.pipeAddress, args)).Result).not.toHaveProperty('proof')
    expect(await sayHello(wrapper.pipeAddress, { challenge: `${challenge}A` })).toMatchObject({
      Error: { Code: 'ERR_ARGS', Details: { issues: [{ path: 'challenge' }] } },
    })
  })
})

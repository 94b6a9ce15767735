import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { encodeFrame } from '@service-link/protocol-core/frame'
import { describe, expect, test } from 'vitest'
import { claimInstance } from '../../src/start/claim-instance.ts'
import { tryLockInstance } from '../../src/start/instance-lock.ts'
import { doctorPlace } from '../support/doctor.ts'
import { claimAsWrapper, taken } from '../support/instance-place.ts'
import { socketAddress } from '../support/pipe.ts'

const lockModule = new URL('../../src/start/instance-lock.ts', import.meta.url).href
/** Checks a lock again and again until it is killed. */
const lockReader = `
import { isLockHeld } from '${lockModule}'
const [file] = process.argv.slice(1)
isLockHeld(file)
process.stdout.write('reads')
for (;;) isLockHeld(file)`
const launch = { id: 'a'.repeat(32), argv: [], workingDirectory: '/' }

type Place = Awaited<ReturnType<typeof doctorPlace>>

/** A server that sends one message or none. */
async function listenAt(address: string, words?: string) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined))
    if (words !== undefined) socket.write(encodeFrame(words))
  })
  await new Promise<void>(resolve => server.listen(address, resolve))
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const makePrivateFolder = ({ place }: Place) =>
  mkdir(dirname(place.lockFile), { recursive: true, mode: 0o700 })

// On Windows all pipes of a machine share one folder, and the address of the hand-off is random.
const unlessWindows = test.skipIf(process.platform === 'win32')

describe('the instance', () => {
  unlessWindows('where nothing runs nothing is wrong, and nothing is made', async () => {
    await using place = await doctorPlace()
    const before = await readdir(place.folder, { recursive: true })
    expect(await place.find('wrapper')).toMatchObject({ status: 'skipped' })
    expect(await readdir(place.folder, { recursive: true })).toEqual(before)
  })

  test('a wrapper that answers is named with its version', async () => {
    await using place = await doctorPlace()
    await using claim = await claimAsWrapper(place.place)
    await claim.listen(async () => taken, { version: '3.1.0.0' })
    expect(await place.find('wrapper')).toMatchObject({
      status: 'ok',
      sentence: expect.stringContaining(`process ${process.pid}, version 3.1.0.0`),
    })
  })

  test('a process that holds the lock and takes no launches', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    using _lock = tryLockInstance(place.place.lockFile)
    const sentence = expect.stringContaining('takes no launches')
    expect(await place.find('wrapper', { wrapperTimeoutMs: 200 })).toMatchObject({
      status: 'problem',
      sentence,
    })
  })

  test.each([
    ['who says nothing', undefined, 'silent'],
    ['who gives a wrong answer', '{"answer":"no"}', 'Incident'],
  ])('%s in place of a wrapper', async (_, answer, told) => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    const address = socketAddress(place.folder, 'squatter')
    await using _squatter = await listenAt(address, answer)
    const key = { ask: 'a'.repeat(64), answer: 'b'.repeat(64) }
    const record = { pid: process.pid, desktop: place.place.desktop, version: '3.1.0.0', address, key }
    await writeFile(place.place.recordFile, JSON.stringify(record), { mode: 0o600 })
    using _lock = tryLockInstance(place.place.lockFile)
    const hasty = { wrapperTimeoutMs: 200 }
    const finding = await place.find('wrapper', answer === undefined ? hasty : {})
    expect(finding).toMatchObject({
      status: 'problem',
      sentence: expect.stringContaining(`process ${process.pid}`),
    })
    expect(finding?.sentence.startsWith('Incident')).toBe(told === 'Incident')
  })

  unlessWindows('a folder of the hand-off socket that others may enter', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    await chmod(dirname(place.place.lockFile), 0o755)
    expect(await place.find('wrapper')).toMatchObject({ status: 'problem' })
  })

  test('a damaged lock', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    await writeFile(place.place.lockFile, 'not a lock at all, and long enough to be looked at'.repeat(20))
    expect(await place.find('wrapper')).toMatchObject({ status: 'problem' })
  })

  test('[1-single-instance] a start becomes the wrapper while others keep reading the lock', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    tryLockInstance(place.place.lockFile)?.[Symbol.dispose]()
    const reader = spawn(
      process.execPath,
      ['-C', '@service-link/source', '--input-type=module', '-e', lockReader, place.place.lockFile],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    try {
      await once(reader.stdout, 'data')
      const claim = await claimInstance(place.place, { launch }, { timeoutMs: 120_000 })
      expect(claim.role).toBe('wrapper')
      if (claim.role === 'wrapper') await claim.release()
    } finally {
      const ended = once(reader, 'exit')
      reader.kill('SIGKILL')
      await ended
    }
  })
})

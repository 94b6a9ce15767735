import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultBrand, pipeAddress } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { handOffCheck } from '../src/doctor/checks/hand-off.ts'
import { lockCheck } from '../src/doctor/checks/lock.ts'
import { pipesCheck } from '../src/doctor/checks/pipes.ts'
import { wrapperCheck } from '../src/doctor/checks/wrapper.ts'
import { claimInstance } from '../src/instance/claim-instance.ts'
import { tryLockInstance } from '../src/instance/instance-lock.ts'
import { PipeServer } from '../src/pipe/pipe-server.ts'
import { WrapperSession } from '../src/web-app/wrapper-session.ts'
import { doctorPlace } from './_doctor.ts'

const lockReader = fileURLToPath(new URL('_lock-reader.ts', import.meta.url))
const launch = { id: 'a'.repeat(32), argv: [], workingDirectory: '/' }

type Place = Awaited<ReturnType<typeof doctorPlace>>

/** Something that listens and never says a word. */
async function listenAt(address: string) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>(resolve => server.listen(address, resolve))
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const pipeOf = ({ folder }: Place, pid: number) => pipeAddress(defaultBrand, pid, process.platform, folder)

/** The pipe of this process, as a wrapper has it. */
const servePipe = ({ folder }: Place) =>
  PipeServer.listen({
    brand: defaultBrand,
    culture: 'nb-NO',
    temporaryFolder: folder,
    version: '3.1.0.0',
    session: new WrapperSession(),
    runner: {
      begin: () => ({ answer: Promise.resolve(undefined), ended: Promise.resolve() }),
      runOwn: () => '3.1.0.0',
      throwIfClosing: () => undefined,
    },
  })

const makePrivateFolder = ({ place }: Place) =>
  mkdir(dirname(place.lockFile), { recursive: true, mode: 0o700 })

// There the pipes of a machine are in no folder of a test’s own, and a file tells the address of the hand-off pipe.
const unlessWindows = test.skipIf(process.platform === 'win32')

describe('the instance', () => {
  unlessWindows('where nothing runs nothing is wrong, and nothing is made', async () => {
    await using place = await doctorPlace()
    const before = await readdir(place.folder, { recursive: true })
    expect(await place.find(handOffCheck)).toMatchObject({ status: 'ok' })
    expect(await place.find(lockCheck)).toMatchObject({ status: 'ok' })
    expect(await place.find(wrapperCheck)).toMatchObject({ status: 'skipped' })
    expect(await place.find(pipesCheck)).toMatchObject({ status: 'ok' })
    expect(await readdir(place.folder, { recursive: true })).toEqual(before)
  })

  unlessWindows('a wrapper that answers is named with its version', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    await using _pipe = await servePipe(place)
    using _lock = tryLockInstance(place.place.lockFile)
    await using _handOff = await listenAt(place.place.handOffAddress)
    expect(await place.find(wrapperCheck)).toMatchObject({
      status: 'ok',
      sentence: expect.stringContaining(`process ${process.pid}, version 3.1.0.0`),
    })
    expect(await place.find(lockCheck)).toMatchObject({ sentence: expect.stringContaining('holds') })
    expect(await place.find(handOffCheck)).toMatchObject({ sentence: expect.stringContaining('listens') })
    expect(await place.find(pipesCheck)).toMatchObject({ status: 'ok' })
  })

  test('a wrapper that takes launches, and is gone', async () => {
    await using place = await doctorPlace()
    const claim = await claimInstance(place.place, { launch })
    if (claim.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
    expect(await place.find(handOffCheck)).toMatchObject({ sentence: expect.stringContaining('No process') })
    await claim.listen(async () => ({ waits: false, completed: Promise.resolve(undefined) }))
    expect(await place.find(handOffCheck)).toMatchObject({ sentence: expect.stringContaining('listens') })
    expect(await place.find(lockCheck)).toMatchObject({ sentence: expect.stringContaining('holds') })
    await claim.release()
    expect(await place.find(handOffCheck)).toMatchObject({ sentence: expect.stringContaining('No process') })
    expect(await place.find(lockCheck)).toMatchObject({ status: 'ok' })
  })

  test('a process that holds the lock and takes no launches', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    using _lock = tryLockInstance(place.place.lockFile)
    const sentence = expect.stringContaining('takes no launches')
    expect(await place.find(wrapperCheck)).toMatchObject({ status: 'problem', sentence })
  })

  unlessWindows('a wrapper whose pipe does not answer', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    await using _pipe = await listenAt(pipeOf(place, 4711))
    using _lock = tryLockInstance(place.place.lockFile)
    await using _handOff = await listenAt(place.place.handOffAddress)
    // It may be busy: the check of the pipes says what is to be done, and when.
    expect(await place.find(wrapperCheck)).toMatchObject({
      status: 'warning',
      remedy: expect.stringContaining('“pipes”'),
    })
    const sentence = expect.stringContaining('process 4711')
    expect(await place.find(pipesCheck)).toMatchObject({ status: 'problem', sentence })
  })

  unlessWindows('a wrapper on a machine whose pipes cannot be listed', async () => {
    await using place = await doctorPlace({ TMPDIR: '/nowhere' })
    await makePrivateFolder(place)
    using _lock = tryLockInstance(place.place.lockFile)
    await using _handOff = await listenAt(place.place.handOffAddress)
    const sentence = expect.stringContaining('cannot be listed')
    expect(await place.find(wrapperCheck)).toMatchObject({ status: 'warning', sentence })
    expect(await place.find(pipesCheck)).toMatchObject({ status: 'warning', sentence })
  })

  unlessWindows('a pipe that a killed wrapper left behind does no harm', async () => {
    await using place = await doctorPlace()
    await using _pipe = await listenAt(`${pipeOf(place, 4711)}0`)
    await rename(`${pipeOf(place, 4711)}0`, pipeOf(place, 4711))
    await _pipe[Symbol.asyncDispose]()
    const sentence = expect.stringContaining('ended by force: 1')
    expect(await place.find(pipesCheck)).toMatchObject({ status: 'ok', sentence })
  })

  unlessWindows('a folder of the hand-off socket that others may enter', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    await chmod(dirname(place.place.lockFile), 0o755)
    expect(await place.find(handOffCheck)).toMatchObject({ status: 'problem' })
  })

  unlessWindows('something else in the place of the hand-off socket', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    await writeFile(place.place.handOffAddress, '')
    expect(await place.find(handOffCheck)).toMatchObject({ status: 'problem' })
  })

  test('a lock that is damaged', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    await writeFile(place.place.lockFile, 'not a lock at all, and long enough to be looked at'.repeat(20))
    expect(await place.find(lockCheck)).toMatchObject({ status: 'problem' })
  })

  test('[1-single-instance] a start becomes the wrapper while the lock is looked at all the time', async () => {
    await using place = await doctorPlace()
    await makePrivateFolder(place)
    tryLockInstance(place.place.lockFile)?.[Symbol.dispose]()
    const reader = spawn(process.execPath, ['-C', '@service-link/source', lockReader, place.place.lockFile], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
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

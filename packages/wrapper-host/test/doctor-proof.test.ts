import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  BusyError,
  defaultBrand,
  encodeFrame,
  pipeAddress,
  pipeKeyFileName,
  WebAppError,
  writeClassicFailure,
  writeSessionFailure,
  writeSessionReply,
} from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { askPipes } from '../src/doctor/ask-pipes.ts'
import { pipesCheck } from '../src/doctor/checks/pipes.ts'
import type { DoctorContext } from '../src/doctor/doctor-context.ts'
import { PipeServer } from '../src/pipe/pipe-server.ts'
import { WrapperSession } from '../src/web-app/wrapper-session.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const key = randomBytes(32)

// Sockets of a folder of the test's own; on Windows the pipes of the whole machine would be asked.
test.skipIf(process.platform === 'win32').each([
  ['with the key of this user', key, key, 'answers', 'ok'],
  ['with another key', randomBytes(32), key, 'unproven', 'problem'],
  ['without a key', undefined, key, 'unproven', 'problem'],
  ['where no proof is needed', undefined, undefined, 'answers', 'ok'],
] as const)('the doctor finds a pipe %s', async (_, itsKey, ownKey, state, status) => {
  await using folder = await temporaryFolder()
  const keyFile = join(folder.path, pipeKeyFileName)
  if (itsKey) await writeFile(keyFile, itsKey, { mode: 0o600 })
  await using _pipe = await PipeServer.listen({
    brand: defaultBrand,
    culture: 'nb-NO',
    temporaryFolder: folder.path,
    version: '3.1.0.0',
    session: new WrapperSession(),
    keyFile,
    runner: {
      begin: () => ({ answer: Promise.resolve(undefined), ended: Promise.resolve() }),
      runOwn: () => '3.1.0.0',
      throwIfClosing: () => undefined,
    },
  })
  const pipes = await askPipes(defaultBrand, { TMPDIR: folder.path }, ownKey && (() => ownKey))
  expect(pipes).toMatchObject([{ pid: process.pid, state }])
  const context = { pipes: async () => pipes } as unknown as DoctorContext
  const finding = await pipesCheck.run(context, new AbortController().signal)
  expect(finding).toMatchObject({ status, sentence: expect.stringContaining(`process ${process.pid}`) })
  expect(finding.sentence.startsWith('Incident')).toBe(status === 'problem')
})

/** Answers `version` as a wrapper does, and `hello` as it is told. */
async function pretend(answerHello: (socket: Socket) => void) {
  const folder = await temporaryFolder()
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.on('data', chunk => {
      if (String(chunk).includes('hello')) answerHello(socket)
      else socket.end(encodeFrame('3.1.0.0'))
    })
  })
  const address = pipeAddress(defaultBrand, process.pid, process.platform, folder.path)
  await new Promise<void>(resolve => server.listen(address, resolve))
  return {
    ...folder,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => server.close(resolve))
      await folder[Symbol.asyncDispose]()
    },
  }
}

test.skipIf(process.platform === 'win32').each<[string, 'silent' | 'unproven', (socket: Socket) => void]>([
  [
    'is too busy for it',
    'silent',
    socket => socket.end(encodeFrame(writeSessionFailure(1, new BusyError('x')))),
  ],
  [
    'takes no further client',
    'silent',
    socket => socket.end(encodeFrame(writeClassicFailure(new BusyError('x')))),
  ],
  ['ends the connection', 'silent', socket => socket.destroy()],
  ['refuses it', 'unproven', socket => socket.end(encodeFrame(writeSessionFailure(1, new WebAppError('x'))))],
  [
    'has the classic mode alone',
    'unproven',
    socket => socket.end(encodeFrame(writeClassicFailure(new WebAppError('x')))),
  ],
  ['answers nothing that can be read', 'unproven', socket => socket.end(encodeFrame('hello yourself'))],
])('who is asked for a proof and %s is told as %s', async (_, state, answerHello) => {
  await using folder = await pretend(answerHello)
  const pipes = await askPipes(defaultBrand, { TMPDIR: folder.path }, () => key)
  expect(pipes).toMatchObject([{ pid: process.pid, state }])
  const context = { pipes: async () => pipes } as unknown as DoctorContext
  const finding = await pipesCheck.run(context, new AbortController().signal)
  expect(finding.sentence.startsWith('Incident')).toBe(state === 'unproven')
})

test.skipIf(process.platform === 'win32')('a key that cannot be read makes no incident', async () => {
  await using folder = await pretend(socket =>
    socket.end(
      encodeFrame(
        writeSessionReply(1, { protocol: 1, version: '3.1.0.0', pid: process.pid, capabilities: [] }),
      ),
    ),
  )
  const readKey = () => {
    throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
  }
  const pipes = await askPipes(defaultBrand, { TMPDIR: folder.path }, readKey)
  expect(pipes).toMatchObject([{ state: 'silent' }])
})

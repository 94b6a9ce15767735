import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand, pipeKeyFileName } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { askPipes } from '../src/doctor/ask-pipes.ts'
import { pipesCheck } from '../src/doctor/checks/pipes.ts'
import type { DoctorContext } from '../src/doctor/doctor-context.ts'
import { WrapperSession } from '../src/hosting/wrapper-session.ts'
import { PipeServer } from '../src/pipe/pipe-server.ts'
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
  const pipes = await askPipes(defaultBrand, { TMPDIR: folder.path }, ownKey)
  expect(pipes).toMatchObject([{ pid: process.pid, state }])
  const context = { pipes: async () => pipes } as unknown as DoctorContext
  const finding = await pipesCheck.run(context, new AbortController().signal)
  expect(finding).toMatchObject({ status, sentence: expect.stringContaining(`process ${process.pid}`) })
  expect(finding.sentence.startsWith('Incident')).toBe(status === 'problem')
})

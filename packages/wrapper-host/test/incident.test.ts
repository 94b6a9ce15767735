import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { Server } from 'node:net'
import { dirname, join } from 'node:path'
import { defaultBrand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core'
import { expect, test, vi } from 'vitest'
import { WrapperSession } from '../src/hosting/wrapper-session.ts'
import { HandOffTakenError } from '../src/instance/hand-off-address.ts'
import { HandOffServer } from '../src/instance/hand-off-server.ts'
import { locateInstance } from '../src/instance/locate-instance.ts'
import { PipeServer, PipeTakenError } from '../src/pipe/pipe-server.ts'
import { memoryWrapper } from './_memory-wrapper.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const brand = { ...defaultBrand, pipePrefix: `incident${randomUUID().slice(0, 8)}` }

/** A wrapper in new folders, without a window. */
async function makeWrapper(folder: string) {
  const { wrapper, ...rest } = await memoryWrapper(brand, folder, join(folder, 'user'))
  const start = () => wrapper.start({ id: randomUUID(), argv: [], workingDirectory: '/' })
  return { start, ...rest }
}

async function readLog(userFolder: string): Promise<unknown[]> {
  const text = await readFile(join(userFolder, 'logs', 'wrapper.log'), 'utf8')
  const lines = text.trimEnd().split('\n')
  return lines.map(line => JSON.parse(line))
}

const ownPipe = () => pipeAddress(brand, process.pid, process.platform, unixPipeFolder(process.env))
const handOffOf = (userFolder: string) =>
  locateInstance({ application: brand.application, userFolder }).handOffAddress

// On Windows nobody knows the name of the hand-off before, and Wine lets a second server have the pipe’s.
test.skipIf(process.platform === 'win32').each([
  ['pipe', ownPipe, 'ERR_PIPE_TAKEN', { event: 'pipe-taken', pipe: ownPipe() }],
  ['hand-off', handOffOf, 'ERR_HAND_OFF_TAKEN', { event: 'hand-off-taken' }],
])(
  'the name of the %s in somebody else’s hands is told and logged as an incident, and nothing runs',
  async (_, addressOf, code, facts) => {
    await using folder = await temporaryFolder()
    const { start, notices, userFolder } = await makeWrapper(folder.path)
    const address = addressOf(userFolder)
    await mkdir(dirname(address), { recursive: true, mode: 0o700 })
    // No socket of this user, which would be taken for a leftover.
    await writeFile(address, '')
    try {
      await expect(start()).rejects.toMatchObject({
        code,
        address,
        message: expect.stringContaining('report it'),
      })
    } finally {
      await rm(address)
    }
    const known = { level: 'error', pid: process.pid, time: expect.any(String) }
    expect((await readLog(userFolder)).at(-1)).toEqual({ ...known, ...facts })
    // The error says it; twice would be once too often.
    expect(notices.join()).not.toContain('report it')
    // The next start finds nothing in its way.
    const started = await start()
    expect(started.role).toBe('wrapper')
    if (started.role === 'wrapper') await started.wrapper.close()
  },
)

test.each(['EADDRINUSE', 'EBUSY'])(
  'a name at which listening fails with %s is taken, for pipe and hand-off',
  async code => {
    await using folder = await temporaryFolder()
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      process.nextTick(() => this.emit('error', Object.assign(new Error('listen'), { code })))
      return this
    })
    try {
      const session = new WrapperSession()
      const runner = {
        begin: () => ({ answer: Promise.resolve(undefined), ended: Promise.resolve() }),
        runOwn: () => undefined,
        throwIfClosing: () => undefined,
      }
      const options = {
        brand,
        runner,
        session,
        culture: 'nb-NO',
        version: '3.0.0.0',
        temporaryFolder: folder.path,
      }
      await expect(PipeServer.listen(options)).rejects.toBeInstanceOf(PipeTakenError)
      const refuse = () => Promise.reject(new Error('There is no launch.'))
      const handOff = HandOffServer.listen(join(folder.path, 'hand-off'), refuse)
      await expect(handOff).rejects.toBeInstanceOf(HandOffTakenError)
    } finally {
      listen.mockRestore()
    }
  },
)

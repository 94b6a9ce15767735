import { randomUUID } from 'node:crypto'
import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { Server } from 'node:net'
import { dirname, join } from 'node:path'
import { defaultBrand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test, vi } from 'vitest'
import { doctorInput, runChecks } from '../../src/doctor/doctor-check.ts'
import { wrapperChecks } from '../../src/doctor/wrapper-checks.ts'
import { PipeServer, PipeTakenError } from '../../src/pipe/pipe-server.ts'
import { HandOffTakenError, PrivateServer } from '../../src/start/private-server.ts'
import { StatusKeeper } from '../../src/web-app/status-keeper.ts'
import { newWrapper } from '../support/new-wrapper.ts'

const brand = { ...defaultBrand, pipePrefix: `incident${randomUUID().slice(0, 8)}` }
const ownPipe = () => pipeAddress(brand, process.pid, process.platform, unixPipeFolder(process.env))

const known = { level: 'error', pid: process.pid, time: expect.any(String) }

// On Windows the hand-off's name is random, and Wine lets two servers share the name of a pipe.
describe.skipIf(process.platform === 'win32')(
  'a name taken by another program is reported and logged',
  () => {
    test('that of the hand-off is an incident, and no wrapper runs', async () => {
      await using made = await newWrapper({ brand })
      const { address } = made.place
      await mkdir(dirname(address), { recursive: true, mode: 0o700 })
      // A plain file, because a socket of this user would count as a leftover.
      await writeFile(address, '')
      const message = expect.stringContaining('report it')
      await expect(made.start()).rejects.toMatchObject({ code: 'ERR_HAND_OFF_TAKEN', address, message })
      await rm(address)
      expect((await made.log()).slice(-3, -1)).toEqual([
        { ...known, event: 'hand-off-taken' },
        { ...known, event: 'start-failed', code: 'ERR_HAND_OFF_TAKEN' },
      ])
      // The error says it, so there is no notice.
      expect(made.notices.join()).not.toContain('report it')
      // The next start succeeds.
      await made.run()
    })

    test('that of the pipe is an incident, and the wrapper runs and takes launches', async () => {
      await using made = await newWrapper({ brand })
      const pipe = ownPipe()
      // Another user who does not know the process id would take all possible names.
      const others = Array.from({ length: 6_000 }, (_, index) =>
        pipe.replace(/\d+$/, String(process.pid + index)),
      )
      const owner = process.getuid?.() === 0 ? 65_534 : process.getuid?.()
      for (const file of others) {
        writeFileSync(file, '')
        if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534)
      }
      try {
        const wrapper = await made.run()
        expect(wrapper.pipeAddress).toBeUndefined()
        expect(await made.start()).toMatchObject({ role: 'handed-off', outcome: { status: 'accepted' } })
        await wrapper.close()
      } finally {
        for (const file of others) rmSync(file)
      }
      expect(await made.log()).toContainEqual({ ...known, event: 'pipe-taken', pipe, owner })
      expect(made.notices.join()).toMatch(new RegExp(`user with the id ${owner}, .*${pipe}.*report it`))
      const { applicationRoot, userFolder } = made
      const place = { brand, version: '3.0.0.0', folders: { applicationRoot, userFolder } }
      const [, finding] = await runChecks(wrapperChecks, doctorInput({ ...place, environment: {} }), 60_000)
      expect(finding).toMatchObject({
        status: 'problem',
        sentence: expect.stringContaining(`${pipe}, which belongs to the user with the id ${owner}`),
        remedy: expect.stringContaining('removed'),
      })
    })
  },
)

test.each(['EADDRINUSE', 'EBUSY'])(
  'a name that fails with %s on listening is taken, for pipe and hand-off',
  async code => {
    await using folder = await temporaryFolder()
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      process.nextTick(() => this.emit('error', Object.assign(new Error('listen'), { code })))
      return this
    })
    try {
      const statusKeeper = new StatusKeeper()
      const runner = {
        begin: () => ({ answer: Promise.resolve(undefined), ended: Promise.resolve() }),
        runOwn: () => undefined,
        throwIfClosing: () => undefined,
      }
      const options = {
        brand,
        runner,
        statusKeeper,
        culture: 'nb-NO',
        version: '3.0.0.0',
        temporaryFolder: folder.path,
      }
      await expect(new PipeServer(options).bind()).rejects.toBeInstanceOf(PipeTakenError)
      const refuse = () => Promise.reject(new Error('There is no launch.'))
      const key = { ask: 'a', answer: 'b' }
      const handOff = PrivateServer.listen(join(folder.path, 'hand-off'), { key, take: refuse })
      await expect(handOff).rejects.toBeInstanceOf(HandOffTakenError)
    } finally {
      listen.mockRestore()
    }
  },
)

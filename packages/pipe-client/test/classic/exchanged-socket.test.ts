import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises'
import { connect, createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { encodeFrame } from '@service-link/protocol-core/frame'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { exchange } from '../../src/classic/exchange.ts'
import { connectWrapper } from '../../src/index.ts'
import { posix } from '../../src/platform/posix.ts'
import { addressOf, close, listen, uniqueBrand } from '../support/pipe-places.ts'

const otherUser = 65_534

/** Source of a server of another user in Python, because that user may not run this user's Node. It prints each connection, and its byte count at the end. */
const listener = `process.setgroups([]); process.setgid(${otherUser}); process.setuid(${otherUser})
  require('node:net')
  .createServer(socket => {
    console.log('connection')
    socket.on('data', () => socket.end('no frame')).on('close', () => console.log(socket.bytesRead)).on('error', () => {})
  })
  .listen(process.argv[1], () => console.log('ready'))`

/** Entry at the address of a pipe: none, another user's link to a socket, or a socket of this user. */
type Lying = 'nothing' | 'link' | 'own' | 'later own'

const moments: [before: Lying | 'lasting own', atConnect: Lying, after: Lying][] = [
  ['nothing', 'link', 'nothing'],
  ['nothing', 'link', 'own'],
  ['own', 'link', 'nothing'],
  ['own', 'link', 'later own'],
  ['lasting own', 'link', 'nothing'],
  ['lasting own', 'link', 'later own'],
]

describe.runIf(process.getuid?.() === 0)('another user’s socket receives nothing', () => {
  let folder = ''
  let child: ChildProcessByStdio<null, Readable, null>
  let lines: AsyncIterator<string>
  const servers = [0, 1].map(() => createServer(socket => socket.destroy()))

  beforeAll(async () => {
    // Like the folder of temporary files: each user may write, and remove only own files.
    folder = await mkdtemp(join(tmpdir(), 'exchanged-'))
    await chmod(folder, 0o1777)
    child = spawn(process.execPath, ['-e', listener, join(folder, 'foreign.sock')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    expect(await lines.next()).toMatchObject({ value: 'ready' })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
    await Promise.all(servers.map(close))
  })
  afterAll(async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
    await rm(folder, { recursive: true })
  })

  test.each(moments)(
    'with %s before, %s during the connect, and %s after',
    async (before, atConnect, after) => {
      vi.stubEnv('TMPDIR', folder)
      const foreign = join(folder, 'foreign.sock')
      const brand = uniqueBrand()
      const address = addressOf(brand)
      for (const [index, server] of servers.entries()) {
        await listen(server, join(folder, `${index}.sock`))
        // Renamed, so that closing the server keeps it.
        await rename(join(folder, `${index}.sock`), join(folder, `${index}.own`))
      }
      const put = (lying: Lying) => {
        rmSync(address, { force: true })
        if (lying === 'link') symlinkSync(foreign, address)
        else if (lying !== 'nothing') renameSync(join(folder, lying === 'own' ? '0.own' : '1.own'), address)
      }
      const isLasting = before === 'lasting own'
      put(isLasting ? 'own' : before)
      const pipe = { address, isLasting, seen: isLasting ? posix.identifyOwn(address) : undefined }
      const { connect: connectNow } = Socket.prototype
      const connecting = vi.spyOn(Socket.prototype, 'connect').mockImplementationOnce(function (
        this: Socket,
        ...args
      ) {
        put(atConnect)
        // Node connects to the path within this call.
        connectNow.apply(this, args)
        put(after)
        return this
      })
      if (isLasting) {
        const outcome = await exchange(pipe, encodeFrame('{}'), new AbortController().signal, () => undefined)
        expect(outcome).toEqual({ isConnected: false, systemCode: 'ENOENT' })
        expect(pipe.isLasting).toBe(false)
      } else {
        const options = { brand, pid: process.pid, mode: 'classic', timeoutMs: 300 } as const
        await expect(connectWrapper(options)).rejects.toThrow()
      }
      connecting.mockRestore()
      // The test's own connection is the last, so all earlier ones are printed before it.
      connect(foreign)
        .on('error', () => undefined)
        .end('!')
      let openCount = 0
      const byteCounts: string[] = []
      while (!byteCounts.includes('1') || byteCounts.length < openCount) {
        const { value, done } = await lines.next()
        if (done) throw new Error('The other user’s process ended.')
        if (value === 'connection') openCount++
        else byteCounts.push(value)
      }
      expect(byteCounts.filter(byteCount => byteCount !== '0')).toEqual(['1'])
    },
  )
})

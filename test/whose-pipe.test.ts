import { rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { connectWrapper } from '../packages/pipe-client/src/index.ts'
import { untoldOwner } from '../packages/pipe-client/test/_untold-owner.ts'
import {
  encodeFrame,
  FrameDecoder,
  pipeAddress,
  unixPipeFolder,
} from '../packages/protocol-core/src/index.ts'
import { ensurePipeKey, readPipeKey } from '../packages/wrapper-host/src/pipe/pipe-key.ts'
import { startTestWrapper } from '../packages/wrapper-host/src/testing/index.ts'

const person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }

/** A process that runs and is no wrapper. */
const otherPid = process.ppid

/**
 * Passes all on between whoever connects to one pipe and the server of another, and notes what came from there.
 *
 * @param change what is made of each body of the server's
 */
async function startRelay(address: string, target: string, change: (body: string) => string) {
  let heard = ''
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const wrapper = connect(target)
    for (const socket of [client, wrapper]) sockets.add(socket.on('error', () => socket.destroy()))
    client.on('data', chunk => {
      heard += chunk.toString()
      wrapper.write(chunk)
    })
    client.on('end', () => wrapper.end())
    const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
    wrapper.on('data', (chunk: Buffer) => {
      for (const body of decoder.push(chunk)) client.write(encodeFrame(change(Buffer.from(body).toString())))
    })
    wrapper.on('end', () => client.end())
  })
  await new Promise<void>(resolve => server.listen(address, resolve))
  return {
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

describe('where the system does not tell whose pipe it is', () => {
  test.each([
    ['as it is', 'ERR_PIPE_DENIED', (body: string) => body],
    ['with another process id', 'ERR_PIPE_UNPROVEN', withOtherPid],
  ])(
    'a relay that passes on %s what the wrapper answers gets nothing of a person',
    async (_, code, change) => {
      await using owner = await untoldOwner()
      await ensurePipeKey(owner.keyFile)
      await using wrapper = await startTestWrapper()
      const { brand, pid } = wrapper
      const address = pipeAddress(brand, otherPid, process.platform, unixPipeFolder(process.env))
      await using relay = await startRelay(address, wrapper.pipeAddress, change)
      await expect(connectWrapper({ brand, pid: otherPid })).rejects.toMatchObject({ code })
      expect(relay.heard()).toContain('challenge')
      expect(relay.heard()).not.toMatch(/selectperson|version|Kari/)
      // The wrapper itself proves to be what it is.
      await using client = await connectWrapper({ brand, pid })
      expect(await client.selectPerson(person)).toMatchObject({ status: 'created' })
    },
  )

  test('wrappers that start at the same time prove themselves with one key, also with a later one', async () => {
    await using owner = await untoldOwner()
    await Promise.all([ensurePipeKey(owner.keyFile), ensurePipeKey(owner.keyFile)])
    await using first = await startTestWrapper()
    await using second = await startTestWrapper()
    const areProven = async () => {
      for (const { brand, pid } of [first, second]) {
        await using client = await connectWrapper({ brand, pid })
        expect(client.mode).toBe('session')
      }
    }
    await areProven()
    const before = readPipeKey(owner.keyFile)
    await rm(owner.keyFile)
    await ensurePipeKey(owner.keyFile)
    expect(readPipeKey(owner.keyFile)).not.toEqual(before)
    await areProven()
  })
})

function withOtherPid(body: string): string {
  return body.replace(`"pid":${process.pid}`, `"pid":${otherPid}`)
}

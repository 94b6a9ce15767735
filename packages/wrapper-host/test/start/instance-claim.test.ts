import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { claimInstance } from '../../src/start/claim-instance.ts'
import { newPlace, provingFrame } from '../support/instance-place.ts'
import { socketAddress } from '../support/socket-address.ts'

const request = () => ({ launch: { id: randomUUID(), argv: [], workingDirectory: '/' } })

/** A server that proves to be the wrapper, and sends nothing more. */
async function silentListener(address: string) {
  const heard = Promise.withResolvers<void>()
  const server = createServer(socket => {
    socket.on('error', () => undefined).resume()
    socket.write(provingFrame)
    heard.resolve()
  }).listen(address)
  await once(server, 'listening')
  return {
    /** Resolves with the first connection. */
    heard: heard.promise,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

describe('claimInstance', () => {
  test('a silent listener is given up with the signal', async () => {
    await using at = await newPlace()
    const address = socketAddress(at.folder, 'silent')
    await at.publish(address)
    await using silent = await silentListener(address)
    const giveUp = new AbortController()
    const claiming = claimInstance(at.place, request(), { signal: giveUp.signal })
    await silent.heard
    giveUp.abort(new Error('given up'))
    await expect(claiming).rejects.toThrow('given up')
  })

  test('[1-single-instance] a holder that takes no launch is an error, and the instance is free afterwards', async () => {
    await using at = await newPlace()
    const holder = await claimInstance(at.place, request())
    if (holder.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
    await expect(claimInstance(at.place, request(), { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'ERR_INSTANCE_BUSY',
      waitedMs: 30,
    })
    await holder.release()
    const next = await claimInstance(at.place, request())
    expect(next.role).toBe('wrapper')
    if (next.role === 'wrapper') await next.release()
  })
})

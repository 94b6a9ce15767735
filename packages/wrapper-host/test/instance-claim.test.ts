import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { claimInstance } from '../src/instance/claim-instance.ts'
import { socketAddress } from './_socket-address.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const request = () => ({ launch: { id: randomUUID(), argv: [], workingDirectory: '/' } })

/** A place for an instance of its own. */
async function newPlace() {
  const folder = await temporaryFolder()
  const handOffAddress = socketAddress(folder.path)
  return {
    place: { handOffAddress, lockFile: join(folder.path, 'lock'), privateFolder: undefined },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** Someone who takes connections at an address and says nothing. */
async function silentListener(address: string) {
  const heard = Promise.withResolvers<void>()
  const server = createServer(socket => {
    socket.on('error', () => undefined).resume()
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
  test('a listener that says nothing is given up within the time that was asked for', async () => {
    await using at = await newPlace()
    await using _silent = await silentListener(at.place.handOffAddress)
    const error = await claimInstance(at.place, request(), { timeoutMs: 50 }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ code: 'ERR_HAND_OFF_TIMEOUT' })
    expect(error).toHaveProperty(
      'waitedMs',
      expect.toSatisfy((waitedMs: number) => waitedMs <= 50),
    )
  })

  test('a listener that says nothing is given up with the signal', async () => {
    await using at = await newPlace()
    await using silent = await silentListener(at.place.handOffAddress)
    const giveUp = new AbortController()
    const claiming = claimInstance(at.place, request(), { signal: giveUp.signal })
    await silent.heard
    giveUp.abort(new Error('given up'))
    await expect(claiming).rejects.toThrow('given up')
  })

  test('[1-single-instance] a holder that takes no launch is an error, and free again after it', async () => {
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

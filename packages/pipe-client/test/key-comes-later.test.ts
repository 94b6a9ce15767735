import { describe, expect, test } from 'vitest'
import { connectWrapper } from '../src/index.ts'
import { reply, startServer, withVersion } from './_classic-server.ts'
import { startSessionServer } from './_session-server.ts'
import { untoldOwner } from './_untold-owner.ts'

const person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const selected = '{"status":"selected","userid":5,"customid":"4711"}'

describe('a client that began in the classic mode, without a key, where the system does not tell whose pipe it is', () => {
  describe.each(['auto', 'classic'] as const)('in mode %s', mode => {
    test.each([true, false])('asks for proof once there is a key (reconnect: %s)', async reconnect => {
      await using owner = await untoldOwner()
      await using server = await startServer(withVersion(socket => reply(socket, selected)))
      await using client = await connectWrapper({ brand: server.brand, mode, reconnect })
      expect(client.mode).toBe('classic')
      await client.selectPerson(person)
      const told = () => server.requests.filter(({ Method }) => Method === 'selectperson').length
      expect(told()).toBe(1)
      // The wrapper has been updated; what answers now may be anybody, as it does not prove to be it.
      await owner.makeKey()
      await expect(client.selectPerson(person)).rejects.toMatchObject({
        code: reconnect ? 'ERR_PIPE_UNPROVEN' : 'ERR_PIPE_CLOSED',
        shouldRetry: false,
      })
      expect(told()).toBe(1)
    })
  })

  test('does so as well when the wrapper had not answered for the session mode', async () => {
    await using owner = await untoldOwner()
    await using server = await startSessionServer(
      ({ socket }, { Method }) => {
        if (Method === 'hello') socket.end()
        else reply(socket, Method === 'version' ? '3.0.0.0' : selected)
      },
      { answersAll: true },
    )
    await using client = await connectWrapper({ brand: server.brand })
    expect(client.mode).toBe('classic')
    await client.selectPerson(person)
    await owner.makeKey()
    await expect(client.selectPerson(person)).rejects.toMatchObject({
      code: 'ERR_PIPE_CLOSED',
      unprovenPid: process.pid,
    })
    expect(server.methods().filter(method => method === 'selectperson')).toHaveLength(1)
  })
})

import { encodeFrame } from '@service-link/protocol-core/frame'
import { describe, expect, test } from 'vitest'
import { connectWrapper } from '../../src/index.ts'
import {
  gone,
  type ServedConnection,
  type SessionAnswer,
  startSessionServer,
  until,
} from '../support/session-server.ts'

const silent: SessionAnswer = () => {}

/** Errors of two sent calls and an unsent one, after an act of the wrapper. */
async function endWith(misbehave: (connection: ServedConnection) => void) {
  await using server = await startSessionServer(silent, { hello: { maxinflight: 2 } })
  const client = await connectWrapper({ brand: server.brand, reconnect: false })
  const calls = [client.hide(), client.openWorkout(1), client.show()].map(call => call.catch(error => error))
  await until(() => expect(server.methods()).toEqual(['hello', 'hide', 'openworkout']))
  misbehave(server.first)
  const errors = await Promise.all(calls)
  await gone(server.first)
  await expect(client.hide()).rejects.toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: false })
  expect(server.methods()).toEqual(['hello', 'hide', 'openworkout'])
  await client.disconnect()
  return errors
}

const secret = 'the secret of a person'
const breaches: [string, (connection: ServedConnection) => void][] = [
  ['a reply to an id that was never sent', connection => connection.send('{"Id":99,"Result":null}')],
  ['a reply to a call that waits here', connection => connection.send('{"Id":4,"Result":null}')],
  ['a text that is not JSON', connection => connection.send(secret)],
  ['a classic failure', connection => connection.send(`{"error":"${secret}","code":"ERR_BUSY"}`)],
  ['an event of another shape', connection => connection.send('{"Event":"workoutopened","Data":{"id":"x"}}')],
  ['a length of zero', ({ socket }) => socket.write(Buffer.alloc(4))],
]

describe('a connection and all its calls end by', () => {
  test.each(breaches)('%s', async (_, misbehave) => {
    const errors = await endWith(misbehave)
    for (const error of errors) expect(String(error)).not.toContain(secret)
    expect(errors).toMatchObject([
      { code: 'ERR_PIPE_REPLY', wasSent: true, message: expect.stringContaining('is not known') },
      { code: 'ERR_PIPE_REPLY', wasSent: true, shouldRetry: false },
      { code: 'ERR_PIPE_REPLY', wasSent: false, shouldRetry: false },
    ])
    expect(errors[2].message).not.toContain('is not known')
  })

  const losses: [string, (connection: ServedConnection) => void][] = [
    ['a reset', ({ socket }) => socket.destroy()],
    ['an end from the wrapper alone', ({ socket }) => socket.end()],
    [
      'an end inside a frame',
      ({ socket }) => socket.end(encodeFrame('{"Id":2,"Result":null}').subarray(0, 9)),
    ],
  ]
  test.each(losses)('%s', async (_, misbehave) => {
    const errors = await endWith(misbehave)
    expect(errors).toMatchObject([
      { code: 'ERR_PIPE_CLOSED', wasSent: true },
      { code: 'ERR_PIPE_CLOSED', wasSent: true },
      { code: 'ERR_PIPE_CLOSED', wasSent: false, shouldRetry: false },
    ])
  })

  test.each([
    ['ERR_PIPE_CLOSED', ({ socket }: ServedConnection) => socket.destroy()],
    ['ERR_PIPE_REPLY', (connection: ServedConnection) => connection.send('garbage')],
  ])('%s, and unsent calls may be repeated where the client reconnects', async (code, misbehave) => {
    await using server = await startSessionServer(silent, { hello: { maxinflight: 1 } })
    await using client = await connectWrapper({ brand: server.brand })
    const calls = [client.hide(), client.show()].map(call => call.catch(error => error))
    await until(() => expect(server.methods()).toEqual(['hello', 'hide']))
    misbehave(server.first)
    expect(await Promise.all(calls)).toMatchObject([
      { code, wasSent: true, shouldRetry: false },
      { code, wasSent: false, shouldRetry: true },
    ])
  })

  test('the client itself', async () => {
    await using server = await startSessionServer(silent)
    const client = await connectWrapper({ brand: server.brand })
    const call = client.hide().catch(error => error)
    await until(() => expect(server.methods()).toContain('hide'))
    await client.disconnect()
    expect(await call).toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: true })
    await gone(server.first)
    await client.disconnect()
    // Also if the client may connect again.
    await expect(client.hide()).rejects.toMatchObject({
      code: 'ERR_PIPE_CLOSED',
      wasSent: false,
      shouldRetry: false,
    })
    expect(server.connections).toHaveLength(1)
  })
})

// A named pipe of Windows has no half-close: its end is that of the whole connection.
test.skipIf(process.platform === 'win32')(
  'an end from a wrapper that does not read ends the calls, too',
  async () => {
    await using server = await startSessionServer(silent)
    await using client = await connectWrapper({ brand: server.brand, reconnect: false })
    server.first.socket.pause()
    const change = { userId: 1, customId: 'x'.repeat(500_000) }
    const calls = Array.from({ length: 10 }, () => client.setCustomId(change).catch(error => error.code))
    server.first.socket.end()
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['ERR_PIPE_CLOSED']))
  },
)

test.each(['garbage', 'reset', 'end'])('replies before the end count, with a %s after them', async after => {
  await using server = await startSessionServer((connection, { Id }) => {
    const reply = encodeFrame(JSON.stringify({ Id, Result: '3.0.0.1' }))
    // In one piece, and nothing follows.
    connection.socket.write(after === 'garbage' ? Buffer.concat([reply, Buffer.from('garbage!')]) : reply)
    if (after === 'end') connection.socket.end()
    if (after === 'reset') connection.socket.destroySoon()
  })
  await using client = await connectWrapper({ brand: server.brand })
  expect(await client.version()).toBe('3.0.0.1')
  await gone(server.first)
})

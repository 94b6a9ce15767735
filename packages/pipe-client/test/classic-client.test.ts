import { commandNames } from '@service-link/protocol-core'
import { expect, test, vi } from 'vitest'
import { ConnectedWrapper } from '../src/client/connected-wrapper.ts'
import { connectWrapper, type WrapperClient } from '../src/index.ts'
import { reply, startServer, withVersion } from './_classic-server.ts'

const methodNames = Object.getOwnPropertyNames(ConnectedWrapper.prototype).map(name => name.toLowerCase())

test('[4.5-envelope] the client has a method for each command of the table', () => {
  expect(methodNames).toEqual(expect.arrayContaining([...commandNames]))
})

const calls: {
  readonly id: string
  readonly call: (wrapper: WrapperClient) => Promise<unknown>
  readonly sent: unknown
  readonly answer?: string
  readonly result?: unknown
}[] = [
  { id: '4.5-hide', call: wrapper => wrapper.hide(), sent: { Method: 'hide' } },
  { id: '4.5-show', call: wrapper => wrapper.show(), sent: { Method: 'show' } },
  { id: '4.5-close', call: wrapper => wrapper.close(), sent: { Method: 'close' } },
  {
    id: '4.5-version',
    call: wrapper => wrapper.version(),
    sent: { Method: 'version' },
    answer: '3.0.0.0',
    result: '3.0.0.0',
  },
  {
    id: '4.5-getworkoutsforclient',
    call: wrapper => wrapper.getWorkoutsForClient({ customId: 'A-1', from: '2024-02-29' }),
    sent: { Method: 'getworkoutsforclient', Args: { customid: 'A-1', from: '2024-02-29' } },
    answer: '[{"id":7,"name":"Knee","extra":{"kept":true}}]',
    result: [{ id: 7, name: 'Knee', extra: { kept: true } }],
  },
  {
    id: '4.5-getworkoutsforclient',
    call: wrapper => wrapper.getWorkoutsForClient({ userId: 12 }),
    sent: { Method: 'getworkoutsforclient', Args: { userid: 12 } },
    answer: '[]',
    result: [],
  },
  {
    id: '4.5-openworkout',
    call: wrapper => wrapper.openWorkout(17),
    sent: { Method: 'openworkout', Args: { id: 17 } },
  },
  {
    id: '4.5-getlistofusers',
    call: wrapper => wrapper.getListOfUsers(),
    sent: { Method: 'getlistofusers' },
    answer: '[{"id":1},{"id":2}]',
    result: [{ id: 1 }, { id: 2 }],
  },
  {
    id: '4.5-getlistofusers',
    call: wrapper => wrapper.getListOfUsers({ customId: 'x' }),
    sent: { Method: 'getlistofusers', Args: { customid: 'x' } },
    answer: '[]',
    result: [],
  },
  {
    id: '4.5-setcustomid',
    call: wrapper => wrapper.setCustomId({ userId: 3, customId: 'ø' }),
    sent: { Method: 'setcustomid', Args: { userid: 3, customid: 'ø' } },
  },
  {
    id: '4.5-selectperson',
    call: wrapper =>
      wrapper.selectPerson({
        customId: 'A-1',
        userId: 0,
        firstname: 'Kari',
        lastname: 'Nordmann',
        dateOfBirth: '1980-04-03',
        phoneHome: '1',
        profileData: [{ key: 'weight', value: '80', customkey: 'kept' }],
      }),
    sent: {
      Method: 'selectperson',
      Args: {
        customid: 'A-1',
        userid: 0,
        firstname: 'Kari',
        lastname: 'Nordmann',
        phonehome: '1',
        dateofbirth: '1980-04-03',
        profiledata: [{ key: 'weight', value: '80', customkey: 'kept' }],
      },
    },
    answer: '{"status":"created","userid":5,"customid":"A-1"}',
    result: { status: 'created', userid: 5, customid: 'A-1' },
  },
]

test.each(calls)('[$id] $sent is sent on a connection of its own and its reply is returned', async item => {
  await using server = await startServer(
    withVersion(socket => (item.answer === undefined ? socket.end() : reply(socket, item.answer))),
  )
  const wrapper = await connectWrapper({ brand: server.brand, pid: server.pid, mode: 'classic' })
  expect(await item.call(wrapper)).toEqual(item.result)
  expect(server.requests.at(-1)).toEqual(item.sent)
  expect(server.connectionCount()).toBe(2)
})

test('a call without a time limit waits for others as long as it takes', async () => {
  const held: (() => void)[] = []
  await using server = await startServer(withVersion(socket => held.push(() => socket.end())))
  const options = { brand: server.brand, pid: server.pid, mode: 'classic', maxInFlight: 1 } as const
  await using wrapper = await connectWrapper(options)
  const timeoutMs = Number.POSITIVE_INFINITY
  const first = wrapper.hide({ timeoutMs })
  const second = wrapper.show({ timeoutMs }).then(
    () => 'done',
    error => error,
  )
  await expect(wrapper.hide({ timeoutMs: 20 })).rejects.toMatchObject({ wasSent: false })
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 60_000, interval: 1 })
  held[0]?.()
  await first
  await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 60_000, interval: 1 })
  held[1]?.()
  expect(await second).toBe('done')
})

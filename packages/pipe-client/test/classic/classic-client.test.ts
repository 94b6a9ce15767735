import { commandNames } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { ConnectedWrapper } from '../../src/client/connected-wrapper.ts'
import { connectWrapper } from '../../src/index.ts'
import { reply, startServer, withVersion } from '../support/classic-server.ts'
import { exampleCalls } from '../support/example-calls.ts'

const methodNames = Object.getOwnPropertyNames(ConnectedWrapper.prototype).map(name => name.toLowerCase())

test('[4.5-envelope] the client has a method for each command of the table', () => {
  expect(methodNames).toEqual(expect.arrayContaining([...commandNames]))
})

/** Writes an answer as it travels in the classic mode. */
const bodyOf = (answer: unknown) => (typeof answer === 'string' ? answer : JSON.stringify(answer))

test.each(exampleCalls)('[$id] $sent uses a new connection and returns its reply', async item => {
  await using server = await startServer(
    withVersion(socket => (item.answer === undefined ? socket.end() : reply(socket, bodyOf(item.answer)))),
  )
  const wrapper = await connectWrapper({ brand: server.brand, pid: server.pid, mode: 'classic' })
  expect(await item.call(wrapper)).toEqual(item.result)
  expect(server.requests.at(-1)).toEqual(item.sent)
  expect(server.connectionCount()).toBe(2)
})

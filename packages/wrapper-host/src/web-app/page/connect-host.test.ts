import type { Person } from '@service-link/protocol-core'
import { expect, test, vi } from 'vitest'
import { connectPort } from './connect-host.ts'
import { bridgeProtocol, type HostHandlers, type HostMessage, type PageMessage } from './messages.ts'

const kari = { customId: 'A', firstname: 'Kari', lastname: 'Nordmann' }
const ola = { customId: 'B', firstname: 'Ola', lastname: 'Ås' }
const selected = { status: 'selected', userId: 1, customId: 'A' } as const

/** A page with a signed-in user, and what it has told the wrapper. With `isVisible` the test ends its waits for the drawing. */
function connected(handlers: HostHandlers, isVisible = false) {
  const sent: PageMessage[] = []
  const waits: (() => void)[] = []
  let receive: (message: unknown) => unknown = () => undefined
  const port = {
    protocol: bridgeProtocol,
    send: (message: PageMessage) => void sent.push(message),
    connect(listener: typeof receive) {
      receive = listener
    },
  }
  const host = connectPort(port, handlers, {
    onReturn: () => undefined,
    reload: () => undefined,
    reportError: () => undefined,
    untilDrawn: () => (isVisible ? new Promise(resolve => waits.push(resolve)) : undefined),
  })
  host.signedIn('ada')
  const send = (message: HostMessage) => receive(message)
  return {
    sent,
    host,
    send,
    call: (id: number, handler: string, args: unknown) =>
      send({ type: 'call', id, handler, args, session: 1, via: undefined }),
    waits,
    told: () => sent.filter(({ type }) => type === 'personSelected'),
  }
}

test('a person whom a stopped handler has shown all the same can be cleared', async () => {
  const shown = Promise.withResolvers<typeof selected>()
  const clearPerson = vi.fn()
  const page = connected({ selectPerson: () => shown.promise, clearPerson })
  const selecting = page.call(1, 'selectPerson', kari)
  page.send({ type: 'cancel', id: 1 })
  shown.resolve(selected)
  await selecting
  await page.call(2, 'clearPerson', { customId: 'A' })
  expect(clearPerson).toHaveBeenCalledOnce()
})

test('a person whom the page restores, and has not told of, can be cleared; not once it has told of nobody', async () => {
  const clearPerson = vi.fn()
  const page = connected({ clearPerson })
  await page.call(1, 'clearPerson', { customId: 'A' })
  await page.call(2, 'clearPerson', { customId: 'A' })
  expect(clearPerson).toHaveBeenCalledOnce()
  page.host.signedOut()
  page.host.signedIn('ada')
  page.host.personCleared()
  await page.send({
    type: 'call',
    id: 3,
    handler: 'clearPerson',
    args: { customId: 'A' },
    session: 2,
    via: undefined,
  })
  expect(clearPerson).toHaveBeenCalledOnce()
})

test('a person whom the user chooses while another is drawn is not told before being drawn', async () => {
  const page = connected({ selectPerson: (): typeof selected => selected }, true)
  const selecting = page.call(1, 'selectPerson', kari)
  // One wait is that of the report, the other that of the answer.
  await vi.waitFor(() => expect(page.waits).toHaveLength(2))
  const ofFirst = page.waits.splice(0)
  page.host.personSelected(ola)
  for (const draw of ofFirst) draw()
  await selecting
  expect(page.told()).toEqual([])
  for (const draw of page.waits) draw()
  await vi.waitFor(() => expect(page.told()).toEqual([{ type: 'personSelected', person: ola }]))
})

test('a hello names the person of whom the wrapper has been told', () => {
  const page = connected({}, true)
  page.host.personSelected(kari)
  page.send({ type: 'introduce' })
  expect(page.sent.at(-1)).not.toHaveProperty('person')
})

test('another user than before is another session, with nobody in focus', () => {
  const page = connected({})
  page.host.personSelected(kari)
  page.host.signedIn('bob')
  expect(page.sent.slice(-2)).toEqual([
    { type: 'signedOut', reason: undefined },
    { type: 'signedIn', session: 2, user: 'bob' },
  ])
  page.send({ type: 'introduce' })
  expect(page.sent.at(-1)).not.toHaveProperty('person')
})

test('a person whom the user has closed before the handler ended is not told of', async () => {
  const shown = Promise.withResolvers<typeof selected>()
  const page = connected({ selectPerson: (_: Person) => shown.promise })
  const selecting = page.call(1, 'selectPerson', kari)
  page.host.personCleared('user')
  shown.resolve(selected)
  await selecting
  expect(page.told()).toEqual([])
})

test('a person put in focus without a session does not pass to the next user', () => {
  const page = connected({})
  page.host.signedOut()
  page.host.personSelected(kari)
  page.host.signedIn()
  page.send({ type: 'introduce' })
  expect(page.sent.at(-1)).toEqual({
    type: 'hello',
    protocol: bridgeProtocol,
    handlers: [],
    isSignedIn: true,
    session: 2,
  })
})

test('a page with another user refuses a call for the former one', async () => {
  const selectPerson = vi.fn(() => selected)
  const page = connected({ selectPerson })
  const refusal = { type: 'failure', code: 'ERR_NOT_SIGNED_IN' }
  page.host.signedOut()
  expect(await page.call(1, 'selectPerson', kari)).toMatchObject(refusal)
  page.host.signedIn()
  expect(await page.call(2, 'selectPerson', kari)).toMatchObject(refusal)
  expect(selectPerson).not.toHaveBeenCalled()
})

test('work for a user who signs out is stopped at once, and does not reach the next user', async () => {
  const shown = Promise.withResolvers<typeof selected>()
  const selectPerson = vi.fn((_person: Person, _signal: AbortSignal) => shown.promise)
  const page = connected({ selectPerson })
  const selecting = page.call(1, 'selectPerson', kari)
  page.host.signedOut()
  page.host.signedIn()
  expect(selectPerson.mock.lastCall?.[1].aborted).toBe(true)
  shown.resolve(selected)
  await selecting
  expect(page.told()).toEqual([])
})

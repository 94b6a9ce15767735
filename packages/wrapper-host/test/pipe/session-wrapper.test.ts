import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readWrapperRecord, recordEnding, recordFolder } from '@service-link/pipe-client/running'
import {
  commandNames,
  encodeFrame,
  FrameDecoder,
  maxReplyFrameBytes,
  sessionEventNames,
  sessionMethods,
} from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { startTestWrapper } from '../../src/testing/index.ts'
import { dialProven } from '../support/instance-place.ts'
import { dial, framesUntilClosed, request, whenClosed } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 5 }
const kari = {
  customId: '4711',
  userId: 12,
  firstname: 'Kari',
  lastname: 'Nordmann',
  dateOfBirth: '1980-04-03',
  ssn: '03048012345',
  email: 'kari@example.com',
} as const

const search = (text: string) => ({ Id: text, Method: 'queryworkouts', Args: { text } })

describe('a wrapper in session mode', () => {
  test('states its protocol', async () => {
    await using wrapper = await startTestWrapper({ version: '3.1.0.0' })
    using session = await openSessionPipe(wrapper.pipeAddress)
    expect(await session.ask(1, 'hello')).toEqual({
      Id: 1,
      Result: {
        protocol: 1,
        version: '3.1.0.0',
        pid: wrapper.pid,
        capabilities: [...Object.keys(sessionMethods), ...commandNames, ...sessionEventNames],
        maxinflight: 64,
      },
    })
    expect(await session.ask('two', 'version')).toEqual({ Id: 'two', Result: '3.1.0.0' })
  })

  test.each([
    ['no JSON', Buffer.from(encodeFrame('{"Method":"version"')), 'ERR_JSON'],
    ['no UTF-8', Buffer.from([1, 0, 0, 0, 0xe5]), 'ERR_JSON'],
    ['without a length', Buffer.from('{"Method":"version"}\n'), 'ERR_FRAME'],
  ])('answers a first frame that is %s in classic form, also at the private address', async (...row) => {
    const [, bytes, code] = row
    await using wrapper = await startTestWrapper()
    const run = recordFolder(wrapper.folders.userFolder)
    const file = (await readdir(run)).find(name => name.endsWith(recordEnding)) ?? ''
    const record = readWrapperRecord(join(run, file))
    if (!record) throw new Error('There is no record.')
    const { socket, bytes: received } = await dialProven(record.address, record.key)
    const open = await dial(wrapper.pipeAddress)
    const frames = framesUntilClosed(open)
    for (const one of [open, socket]) one.write(bytes)
    await whenClosed(socket)
    const [first = ''] = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
      .push(Buffer.concat(received))
      .map(body => Buffer.from(body).toString())
    expect(JSON.parse(first)).toEqual({ error: expect.any(String), code })
    expect(await frames).toEqual([first])
  })

  test('runs commands that the classic mode lacks, beside a classic client', async () => {
    await using wrapper = await startTestWrapper()
    using session = await openSessionPipe(wrapper.pipeAddress)
    expect(await session.ask(1, 'queryexercises', { text: 'knee' })).toEqual({ Id: 1, Result: null })
    expect(await wrapper.nextCall()).toEqual({
      handler: 'queryExercises',
      args: { text: 'knee' },
      via: 'pipe',
    })
    expect(await request(wrapper.pipeAddress, { Method: 'getlistofusers' })).toEqual(['[]'])
    expect(await session.ask(2, 'getlistofusers')).toEqual({ Id: 2, Result: [] })
  })

  test('reports a person in focus, chosen in the web app or by a command, by ids and name only', async () => {
    await using wrapper = await startTestWrapper()
    using session = await openSessionPipe(wrapper.pipeAddress)
    await expect
      .poll(async () => (await session.ask(crypto.randomUUID(), 'status')).Result, limit)
      .toEqual({ loaded: true, signedin: true, person: null, focusnumber: 0 })
    await session.ask(1, 'subscribe', { events: ['personselected', 'signedin', 'signedout'] })
    wrapper.selectInPage(kari)
    const told = { userid: 12, customid: '4711', firstname: 'Kari', lastname: 'Nordmann' }
    await expect
      .poll(() => session.messages.at(-1), limit)
      .toEqual({ Event: 'personselected', Data: { ...told, focusnumber: 1 } })
    expect(await session.ask(2, 'status')).toEqual({
      Id: 2,
      Result: { loaded: true, signedin: true, person: told, focusnumber: 1 },
    })

    const args = { customid: '9', firstname: 'Ola', lastname: 'Ås', dateofbirth: '1990-01-02', gender: '?' }
    expect(await session.ask(3, 'selectperson', args)).toMatchObject({
      Result: { customid: '9', focusnumber: 2 },
      Warnings: [{ path: 'gender', problem: 'must be female, male, F or M' }],
    })
    const events = () => session.messages.filter(({ Event }) => Event)
    await expect.poll(() => events().length, limit).toBe(2)
    const ola = { userid: 1, customid: '9', firstname: 'Ola', lastname: 'Ås' }
    expect(events().at(-1)?.Data).toEqual({ ...ola, focusnumber: 2 })
    expect(JSON.stringify(session.messages)).not.toMatch(/1980|03048012345|example\.com|1990/)

    wrapper.signOut()
    await expect.poll(() => events().at(-1), limit).toEqual({ Event: 'signedout', Data: { reason: 'user' } })
    expect(await session.ask(4, 'status')).toMatchObject({ Result: { signedin: false, person: null } })
    wrapper.signIn()
    await expect.poll(() => events().at(-1), limit).toEqual({ Event: 'signedin', Data: null })
    expect(await session.ask(5, 'status')).toMatchObject({ Result: { signedin: true, person: null } })
  })

  test('reports a workout opened by a program or a launch, once it is open', async () => {
    await using wrapper = await startTestWrapper({ webApp: { openWorkout: async () => undefined } })
    const session = await openSessionPipe(wrapper.pipeAddress)
    const other = await openSessionPipe(wrapper.pipeAddress)
    await session.ask(1, 'subscribe', { events: ['WorkoutOpened'] })
    await other.ask(1, 'openworkout', { id: 17 })
    const events = () => session.messages.filter(({ Event }) => Event)
    await expect.poll(events, limit).toEqual([{ Event: 'workoutopened', Data: { id: 17 } }])
    await request(wrapper.pipeAddress, { Method: 'openworkout', Args: { id: '18' } })
    await expect.poll(() => events().length, limit).toBe(2)
    await wrapper.launch('provider=Service.Desktop.Arguments.Component, Service.Desktop', 'openworkout=19')
    await expect
      .poll(() => events().map(({ Data }) => Data), limit)
      .toEqual([{ id: 17 }, { id: 18 }, { id: 19 }])
    expect(other.messages.filter(({ Event }) => Event)).toEqual([])
    for (const { socket } of [session, other]) socket.destroy()
  })

  test('a connection with 64 searches in flight delays another’s by one', async () => {
    const waiting: (() => void)[] = []
    const begun: string[] = []
    const queryWorkouts = async ({ text }: { readonly text: string }) => {
      begun.push(text)
      await new Promise<void>(resolve => waiting.push(resolve))
    }
    await using wrapper = await startTestWrapper({ webApp: { queryWorkouts } })
    using many = await openSessionPipe(wrapper.pipeAddress)
    using few = await openSessionPipe(wrapper.pipeAddress)
    many.send(...Array.from({ length: 64 }, (_, index) => search(`many ${index}`)))
    await expect.poll(() => begun.length, limit).toBe(1)
    few.send(search('few'))
    await few.ask('v', 'version')
    for (const count of [1, 2]) {
      await expect.poll(() => waiting.length, limit).toBe(count)
      waiting[count - 1]?.()
    }
    await few.answer('few')
    expect(begun.slice(0, 2)).toEqual(['many 0', 'few'])
  })

  test('commands wait for the sign-in in their order, and do not run if given up or orphaned meanwhile', async () => {
    await using wrapper = await startTestWrapper({ isSignedIn: false })
    using session = await openSessionPipe(wrapper.pipeAddress)
    const vanishing = await openSessionPipe(wrapper.pipeAddress)
    session.send(search('a'), search('b'), search('c'))
    vanishing.send(search('d'))
    await vanishing.ask('first', 'version')
    vanishing.socket.destroy()
    expect(await session.ask(1, 'cancel', { id: 'b' })).toEqual({ Id: 1, Result: { cancelled: true } })
    // The server saw the end of the other connection before this answer.
    await session.ask(2, 'version')
    expect(wrapper.calls).toEqual([])
    wrapper.signIn()
    await session.ask(3, 'getlistofusers')
    expect(wrapper.calls).toMatchObject([{ args: { text: 'a' } }, { args: { text: 'c' } }, {}])
  })

  test('[4.5-close] answers close before it exits, and informs subscribers; requests in flight fail', async () => {
    const asked = Promise.withResolvers<void>()
    await using wrapper = await startTestWrapper({
      webApp: {
        getListOfUsers: () => {
          asked.resolve()
          return new Promise(() => undefined)
        },
      },
    })
    const session = await openSessionPipe(wrapper.pipeAddress)
    const other = await openSessionPipe(wrapper.pipeAddress)
    await session.ask(1, 'subscribe', { events: ['closing'] })
    session.send({ Id: 2, Method: 'getlistofusers' })
    await asked.promise
    expect(await other.ask(1, 'close')).toEqual({ Id: 1, Result: null })
    await Promise.all([session.closed(), other.closed(), wrapper.closed])
    expect(session.messages.slice(1)).toEqual([
      { Event: 'closing', Data: null },
      { Id: 2, Error: { Code: 'ERR_CLOSING', Message: expect.any(String) } },
    ])
    expect(other.messages).toHaveLength(1)
  })
})

import { expect, test } from 'vitest'
import { createMemoryWebApp, startTestWrapper } from '../../src/testing/index.ts'
import { openSessionPipe, type SessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 2 }

function select(id: number, lastname: string) {
  return { Id: id, Method: 'selectperson', Args: { customid: `${id}`, firstname: 'Kari', lastname } }
}

async function untilLoaded(session: SessionPipe): Promise<void> {
  await expect
    .poll(async () => (await session.ask(crypto.randomUUID(), 'status')).Result, limit)
    .toEqual({ loaded: true, signedin: false, person: null })
}

/** A wrapper without a sign-in, and the calls of its web app. */
async function startSignedOut() {
  const wrapper = await startTestWrapper({ isSignedIn: false })
  const session = await openSessionPipe(wrapper.pipeAddress)
  await untilLoaded(session)
  const lastnames = () => wrapper.calls.map(({ args }) => (args as { lastname?: string }).lastname)
  return { wrapper, session, lastnames }
}

test('commands sent together wait for the sign-in and run in their order', async () => {
  const { wrapper, session, lastnames } = await startSignedOut()
  await using _wrapper = wrapper
  const names = ['Ask', 'Bø', 'Carlsen', 'Dahl', 'Eie']
  session.send(...names.map((name, index) => select(index, name)))
  expect(await session.ask('first', 'version')).toMatchObject({ Id: 'first' })
  expect(wrapper.calls).toEqual([])
  wrapper.signIn()
  await session.answer(names.length - 1)
  expect(lastnames()).toEqual(names)
  session.socket.destroy()
})

test('a command given up or orphaned in the wait does not run after the sign-in', async () => {
  const { wrapper, session, lastnames } = await startSignedOut()
  await using _wrapper = wrapper
  session.send(select(1, 'Ask'), select(2, 'Bø'))
  const vanishing = await openSessionPipe(wrapper.pipeAddress)
  vanishing.send(select(1, 'Carlsen'))
  await vanishing.ask('first', 'version')
  vanishing.socket.destroy()
  expect(await session.ask('c', 'cancel', { id: 1 })).toEqual({ Id: 'c', Result: { cancelled: true } })
  // The server saw the end of the other connection before this answer.
  await session.ask('later', 'version')
  wrapper.signIn()
  await session.answer(2)
  expect(await session.ask('users', 'getlistofusers')).toMatchObject({ Id: 'users' })
  expect(lastnames().filter(name => name !== undefined)).toEqual(['Bø'])
  session.socket.destroy()
})

test('a command of a user who signs out does not run for the next', async () => {
  const mayAnswer = Promise.withResolvers<null>()
  const opened: number[] = []
  await using wrapper = await startTestWrapper({
    webApp: {
      openWorkout: async ({ id }) => {
        opened.push(id)
        await mayAnswer.promise
      },
    },
  })
  using session = await openSessionPipe(wrapper.pipeAddress)
  const open = (id: number) => ({ Id: id, Method: 'openworkout', Args: { id } })
  session.send(open(1), open(2))
  await expect.poll(() => opened, limit).toEqual([1])
  wrapper.signOut()
  expect((await session.answer(1)).Error?.Code).toBe('ERR_CANCELLED')
  expect((await session.answer(2)).Error?.Code).toBe('ERR_NOT_SIGNED_IN')
  wrapper.signIn()
  mayAnswer.resolve(null)
  await session.ask(3, 'getlistofusers')
  expect(opened).toEqual([1])
})

test('a late selection for a signed-out user is not reported for the next one', async () => {
  const mayAnswer = Promise.withResolvers<null>()
  const webApp = createMemoryWebApp()
  await using wrapper = await startTestWrapper({
    webApp: {
      ...webApp,
      async selectPerson(person) {
        if (person.customId === '1') await mayAnswer.promise
        return webApp.selectPerson(person)
      },
    },
  })
  using session = await openSessionPipe(wrapper.pipeAddress)
  await session.ask('s', 'subscribe', { events: ['personselected'] })
  session.send(select(1, 'Ask'))
  await expect.poll(() => wrapper.calls.length, limit).toBe(1)
  wrapper.signOut()
  expect((await session.answer(1)).Error?.Code).toBe('ERR_CANCELLED')
  wrapper.signIn()
  session.send(select(2, 'Bø'))
  mayAnswer.resolve(null)
  expect(await session.answer(2)).toMatchObject({ Result: { status: 'created' } })
  const status = await session.ask('status', 'status')
  expect(status.Result).toMatchObject({ signedin: true, person: { customid: '2' } })
  const told = session.messages.filter(({ Event }) => Event === 'personselected')
  expect(told).toMatchObject([{ Data: { customid: '2' } }])
})

test('a missing sign-in and a missing answer of the web app are reported', async () => {
  await using wrapper = await startTestWrapper({
    isSignedIn: false,
    commandTimeoutMs: 500,
    webApp: { getListOfUsers: () => new Promise(() => undefined) },
  })
  using session = await openSessionPipe(wrapper.pipeAddress)
  await untilLoaded(session)
  expect((await session.ask(1, 'getlistofusers')).Error?.Code).toBe('ERR_NOT_SIGNED_IN')
  wrapper.signIn()
  expect((await session.ask(2, 'getlistofusers')).Error?.Code).toBe('ERR_TIMEOUT')
  expect(await session.ask(3, 'version')).toMatchObject({ Id: 3 })
})

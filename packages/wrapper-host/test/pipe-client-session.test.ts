import { connectWrapper, type WrapperClient, type WrapperEvent } from '@service-link/pipe-client'
import { createMemoryWebApp, startTestWrapper, type TestWrapper } from '@service-link/wrapper-host/testing'
import { describe, expect, test, vi } from 'vitest'
import { servePipe } from './_pipe.ts'

const kari = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 5 })
const clientOf = ({ pid, brand }: TestWrapper, options = {}): Promise<WrapperClient> =>
  connectWrapper({ pid, brand, ...options })

/** Reads until the iteration ends. */
async function readAll(events: AsyncIterable<WrapperEvent>): Promise<WrapperEvent[]> {
  const read: WrapperEvent[] = []
  for await (const event of events) read.push(event)
  return read
}

describe('the client and a wrapper', () => {
  test('speak in session mode, unless the client shall not', async () => {
    await using wrapper = await startTestWrapper()
    await using session = await clientOf(wrapper)
    await using classic = await clientOf(wrapper, { mode: 'classic' })
    expect([session.mode, classic.mode]).toEqual(['session', 'classic'])
    expect(await session.version()).toBe(await classic.version())
  })

  test.each(['auto', 'classic'] as const)('have the same answers in mode %s', async mode => {
    await using wrapper = await startTestWrapper({
      webApp: createMemoryWebApp({ workouts: [{ id: 17, name: 'Knee', userId: 1 }] }),
    })
    await using client = await clientOf(wrapper, { mode })
    expect(await client.selectPerson(kari)).toMatchObject({ status: 'created', customid: '4711' })
    expect(await client.selectPerson(kari)).toMatchObject({ status: 'selected' })
    expect(await client.getListOfUsers({ customId: '4711' })).toMatchObject([{ customId: '4711' }])
    expect(await client.getWorkoutsForClient({ customId: '4711' })).toEqual([{ id: 17, name: 'Knee' }])
    await client.openWorkout(17)
    await client.setCustomId({ userId: 1, customId: '4712' })
    await expect(client.openWorkout(99)).rejects.toMatchObject({
      code: 'ERR_PIPE_REFUSED',
      commandCode: 'ERR_NOT_FOUND',
    })
    await client.hide()
    await client.show()
  })

  test('have searches and the status in session mode', async () => {
    await using wrapper = await startTestWrapper()
    await using client = await clientOf(wrapper)
    await client.queryExercises('low back')
    await client.queryWorkouts('knee')
    expect(wrapper.calls.slice(-2)).toMatchObject([
      { handler: 'queryExercises', args: { text: 'low back' } },
      { handler: 'queryWorkouts', args: { text: 'knee' } },
    ])
    expect(await client.status()).toEqual({ isLoaded: true, isSignedIn: true })
    await client.selectPerson(kari)
    await until(async () => expect(await client.status()).toMatchObject({ person: kari }))
  })

  test('tell and are told what happens, until the wrapper closes', async () => {
    await using wrapper = await startTestWrapper()
    await using client = await clientOf(wrapper)
    await using other = await clientOf(wrapper)
    const reading = readAll(client.events())
    await other.selectPerson(kari)
    wrapper.signOut()
    await until(async () => expect((await other.status()).isSignedIn).toBe(false))
    wrapper.signIn()
    await until(async () => expect((await other.status()).isSignedIn).toBe(true))
    await other.close()
    expect(await reading).toMatchObject([
      { type: 'personselected', person: kari },
      { type: 'signedout' },
      { type: 'signedin' },
      { type: 'closing' },
    ])
  })

  test('abandon a command that is given up, and go on', async () => {
    let abandoned = 0
    await using wrapper = await startTestWrapper({ isSignedIn: false })
    await using client = await clientOf(wrapper)
    const controller = new AbortController()
    const reason = new Error('Never mind.')
    const call = client.openWorkout(17, { signal: controller.signal }).catch(error => {
      abandoned++
      return error
    })
    // Answered in order: the wrapper has the command before, and waits for a sign-in.
    await client.version()
    controller.abort(reason)
    expect(await call).toBe(reason)
    await client.version()
    wrapper.signIn()
    await until(async () => expect((await client.status()).isSignedIn).toBe(true))
    expect(await client.selectPerson(kari)).toMatchObject({ status: 'created' })
    expect(abandoned).toBe(1)
    expect(wrapper.calls.map(({ handler }) => handler)).not.toContain('openWorkout')
  })

  test('bound what is in flight, and lose nothing', async () => {
    await using wrapper = await startTestWrapper()
    await using client = await clientOf(wrapper)
    const ids = Array.from({ length: 500 }, (_, id) => String(id))
    const replies = await Promise.all(ids.map(customId => client.selectPerson({ ...kari, customId })))
    expect(replies.map(({ customid }) => customid)).toEqual(ids)
  })
})

test('a client goes on with the wrapper that was started after its own', async () => {
  const old = await startTestWrapper()
  const { brand, pid } = old
  await using client = await connectWrapper({ brand, pid })
  await old.close()
  await using wrapper = await startTestWrapper({ brand, version: '3.0.0.7' })
  expect(wrapper.brand.pipePrefix).toBe(brand.pipePrefix)
  await until(async () => expect(await client.version()).toBe('3.0.0.7'))
})

test('a client that is one too many is told so, and may come later', async () => {
  await using pipe = await servePipe(async () => undefined, { maxConnections: 1 })
  vi.stubEnv('TMPDIR', pipe.folder)
  try {
    const first = await connectWrapper({ pid: process.pid })
    for (let attempt = 0; attempt < 20; attempt++)
      await expect(connectWrapper({ pid: process.pid })).rejects.toMatchObject({
        code: 'ERR_PIPE_REFUSED',
        commandCode: 'ERR_BUSY',
        shouldRetry: true,
      })
    await first.disconnect()
    await until(async () => {
      await using second = await connectWrapper({ pid: process.pid })
      expect(second.mode).toBe('session')
    })
  } finally {
    vi.unstubAllEnvs()
  }
})

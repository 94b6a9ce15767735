import { connectWrapper, type WrapperClient, type WrapperEvent } from '@service-link/pipe-client'
import { createMemoryWebApp, startTestWrapper, type TestWrapper } from '@service-link/wrapper-host/testing'
import { describe, expect, test, vi } from 'vitest'

const kari = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 5 })
const clientOf = (
  { pid, brand, folders: { userFolder } }: TestWrapper,
  options = {},
): Promise<WrapperClient> => connectWrapper({ pid, brand, userFolder, ...options })

/** Reads until the iteration ends. */
async function readAll(events: AsyncIterable<WrapperEvent>): Promise<WrapperEvent[]> {
  const read: WrapperEvent[] = []
  for await (const event of events) read.push(event)
  return read
}

describe('the client and a wrapper', () => {
  test('speak in session mode by default', async () => {
    await using wrapper = await startTestWrapper()
    await using session = await clientOf(wrapper)
    await using classic = await clientOf(wrapper, { mode: 'classic' })
    expect([session.mode, classic.mode]).toEqual(['session', 'classic'])
    expect(await session.version()).toBe(await classic.version())
  })

  test.each(['session', 'classic'] as const)('have the same answers in mode %s', async mode => {
    await using wrapper = await startTestWrapper({
      webApp: createMemoryWebApp({ workouts: [{ id: 17, name: 'Knee', userId: 1 }] }),
    })
    await using client = await clientOf(wrapper, { mode })
    expect(await client.selectPerson(kari)).toMatchObject({ status: 'created', customId: '4711' })
    expect(await client.selectPerson(kari)).toMatchObject({ status: 'selected' })
    expect(await client.getListOfUsers({ customId: '4711' })).toMatchObject([{ customId: '4711' }])
    expect(await client.getWorkoutsForClient({ customId: '4711' })).toMatchObject([{ id: 17, name: 'Knee' }])
    await client.openWorkout(17)
    await client.setCustomId({ userId: 1, customId: '4712' })
    await expect(client.openWorkout(99)).rejects.toMatchObject({
      code: 'ERR_PIPE_REFUSED',
      commandCode: 'ERR_NOT_FOUND',
    })
    await client.hide()
    await client.show()
  })

  test('exchange events until the wrapper closes', async () => {
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
})

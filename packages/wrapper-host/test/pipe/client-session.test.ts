import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { connectWrapper, type WrapperClient, type WrapperEvent } from '@service-link/pipe-client'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { createMemoryWebApp, startTestWrapper, type TestWrapper } from '@service-link/wrapper-host/testing'
import { describe, expect, test, vi } from 'vitest'
import { memoryWrapper } from '../support/memory-wrapper.ts'

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

  test('cancel an abandoned command, and continue', async () => {
    let abandoned = 0
    await using wrapper = await startTestWrapper({ isSignedIn: false })
    await using client = await clientOf(wrapper)
    const controller = new AbortController()
    const reason = new Error('Never mind.')
    const call = client.openWorkout(17, { signal: controller.signal }).catch(error => {
      abandoned++
      return error
    })
    // The wrapper answers in order: it has the command, and waits for a sign-in.
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
})

test('a client continues with the restarted wrapper', async () => {
  await using folder = await temporaryFolder()
  const userFolder = join(folder.path, 'user')
  const launch = () => ({ id: randomUUID(), argv: [], workingDirectory: folder.path })
  const first = await memoryWrapper(defaultBrand, folder.path, userFolder)
  const old = await first.wrapper.start(launch())
  await using client = await connectWrapper({ userFolder })
  const { address } = client.wrapper
  expect(address).not.toContain('servicepipe')
  if (old.role === 'wrapper') await old.wrapper.close()
  await expect(client.version()).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND' })
  const next = await first.wrapper.start(launch())
  await until(async () => expect(await client.version()).toBe('3.0.0.0'))
  if (next.role === 'wrapper') await next.wrapper.close()
})

import { connectWrapper, type WrapperClient } from '@service-link/pipe-client'
import { createMemoryWebApp, startTestWrapper, type TestWrapper } from '@service-link/wrapper-host/testing'
import { describe, expect, test } from 'vitest'

const kari = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const clientOf = (
  { pid, brand, folders: { userFolder } }: TestWrapper,
  options = {},
): Promise<WrapperClient> => connectWrapper({ pid, brand, userFolder, ...options })

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
})

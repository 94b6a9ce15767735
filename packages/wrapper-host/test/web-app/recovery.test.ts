import { connectWrapper } from '@service-link/pipe-client'
import { describe, expect, test, vi } from 'vitest'
import { startTestWrapper, type TestWrapper } from '../../src/testing/index.ts'

const patient = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const person = ['id=4711', 'firstname=Kari', 'lastname=Nordmann', 'dateofbirth=1970-01-02'] as const
const byArguments = 'provider=Service.Desktop.Arguments.Component, Service.Desktop'
const soon = { timeout: 60_000 }

/** A web app that never answers its first selections, as many as given. */
function silentAtFirst(silentCount: number) {
  let count = 0
  return {
    selectPerson() {
      count++
      if (count <= silentCount) return new Promise<never>(() => undefined)
      return { status: 'selected' as const, userId: 17, customId: '4711' }
    },
  }
}

const selections = (wrapper: TestWrapper) =>
  wrapper.calls.filter(({ handler }) => handler === 'selectPerson').length

const faults = [
  ['the page crashes', (wrapper: TestWrapper) => wrapper.crashPage()],
  ['the engine is lost', (wrapper: TestWrapper) => wrapper.loseEngine()],
  ['the page is loaded again', (wrapper: TestWrapper) => wrapper.window.reload()],
] as const

describe('commands in progress when the page goes', () => {
  test.each(faults)('%s: a launch runs again', async (_title, befall) => {
    await using wrapper = await startTestWrapper({ webApp: silentAtFirst(1) })
    const launched = wrapper.launch('wait=true', byArguments, ...person)
    await vi.waitFor(() => expect(selections(wrapper)).toBe(1), soon)
    befall(wrapper)
    expect(await launched).toMatchObject({ status: 'completed' })
    expect(selections(wrapper)).toBe(2)
  })

  test.each(faults)('%s: a pipe command fails at once, and the next one works', async (_title, befall) => {
    await using wrapper = await startTestWrapper({ webApp: silentAtFirst(1) })
    const client = await connectWrapper({ userFolder: wrapper.folders.userFolder })
    const failed = expect(client.selectPerson(patient)).rejects.toMatchObject({ commandCode: 'ERR_WEB_APP' })
    await vi.waitFor(() => expect(selections(wrapper)).toBe(1), soon)
    befall(wrapper)
    await failed
    expect(await client.selectPerson(patient)).toMatchObject({ status: 'selected' })
  })

  test('a launch that crashes the page each time finally fails', async () => {
    await using wrapper = await startTestWrapper({ webApp: silentAtFirst(5) })
    const launched = wrapper.launch('wait=true', byArguments, ...person)
    for (const count of [1, 2, 3]) {
      await vi.waitFor(() => expect(selections(wrapper)).toBe(count), soon)
      wrapper.window.reload()
    }
    expect(await launched).toMatchObject({ status: 'refused', code: 'ERR_WEB_APP' })
    expect(wrapper.notices.join()).toMatch(/was not carried out \(ERR_WEB_APP\)/)
  })
})

describe('a lost engine', () => {
  test('is replaced by another with the session, and with a minimized window and its notice', async () => {
    await using wrapper = await startTestWrapper()
    const client = await connectWrapper({ userFolder: wrapper.folders.userFolder })
    await client.hide()
    wrapper.loseEngine()
    await vi.waitFor(() => expect(wrapper.window.state).toBe('minimised'), soon)
    expect(await client.selectPerson(patient)).toMatchObject({ status: 'created' })
    expect(wrapper.notices).toEqual(['The browser of the window has ended without being asked to.'])
  })

  test('is given up after three losses within a minute, and the wrapper ends with an error', async () => {
    await using wrapper = await startTestWrapper()
    const closed = expect(wrapper.closed).rejects.toMatchObject({ code: 'ERR_ENGINE', fault: 'gone' })
    for (const _ of [1, 2, 3]) {
      await vi.waitFor(() => expect(wrapper.window.state).toBe('normal'), soon)
      wrapper.loseEngine()
    }
    await closed
    expect(wrapper.notices.at(-1)).toBe('The browser of the window ends again and again. The wrapper ends.')
    await expect(wrapper.launch()).rejects.toMatchObject({ code: 'ERR_CLOSING' })
  })
})

describe('an unreachable service', () => {
  test('is awaited with an error page; launches run as soon as it answers', async () => {
    await using wrapper = await startTestWrapper({ isOnline: false })
    await vi.waitFor(() => expect(wrapper.window.ownPage?.title).toBe('Service cannot be reached'), soon)
    const launched = wrapper.launch('wait=true', byArguments, ...person)
    wrapper.goOnline()
    expect(await launched).toMatchObject({ status: 'completed' })
    expect(wrapper.window.ownPage).toBeUndefined()
    expect(wrapper.notices).toEqual([
      'The page of https://webapp.invalid did not load: The address cannot be reached (offline).',
    ])
  })
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { buildXmlInput } from '@service-link/xml-input'
import { describe, expect, test, vi } from 'vitest'
import { createMemoryWebApp, startTestWrapper, type TestWrapper } from '../../src/testing/index.ts'

const completed = { status: 'completed' }
const byArguments = 'provider=Service.Desktop.Arguments.Component, Service.Desktop'

/** Parameters of each welcome, the last one last. */
function welcomes({ pageEvents }: TestWrapper) {
  return pageEvents.flatMap(event => (event.type === 'welcome' ? [event.info.launchParameters] : []))
}

describe('parameters of a launch', () => {
  test('that starts the wrapper are in the page’s info until its user signs out; Culture stays', async () => {
    const argv = ['TAB="patients"', 'signon=Secret', '--lang=nb', byArguments]
    await using wrapper = await startTestWrapper({ argv, settings: { Culture: 'nb-NO' } })
    const given = { culture: 'nb-NO', tab: 'patients', signon: 'Secret' }
    await vi.waitFor(() => expect(welcomes(wrapper)).toEqual([given]))
    wrapper.window.reload()
    await vi.waitFor(() => expect(welcomes(wrapper)).toEqual([given, given]))
    wrapper.signOut()
    wrapper.window.reload()
    await vi.waitFor(() => expect(welcomes(wrapper).at(-1)).toEqual({ culture: 'nb-NO' }))
    expect(wrapper.calls).toEqual([])
  })

  test('of a later launch come before its commands, beside an XML file too', async () => {
    await using wrapper = await startTestWrapper()
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'input.xml')
    await writeFile(file, buildXmlInput({ queryExercises: 'knee' }), { mode: 0o600 })
    expect(await wrapper.launch(file, 'caseid=17', 'culture=sv-SE', 'wait=true')).toEqual(completed)
    expect(wrapper.calls).toEqual([
      { handler: 'launchParameters', args: { caseid: '17', culture: 'sv-SE' } },
      { handler: 'queryExercises', args: { text: 'knee' }, via: 'file' },
    ])
  })

  test('come to a page without a user too', async () => {
    await using wrapper = await startTestWrapper({ isSignedIn: false })
    expect(await wrapper.launch('tab=workouts', 'wait=true')).toEqual(completed)
    expect(wrapper.calls).toEqual([{ handler: 'launchParameters', args: { tab: 'workouts' } }])
  })

  test.each([
    ['ignores them', undefined],
    ['fails', () => Promise.reject(new Error('Secret'))],
  ])('fail no launch when the page %s', async (_title, launchParameters) => {
    const { launchParameters: _, ...webApp } = createMemoryWebApp()
    await using wrapper = await startTestWrapper({
      webApp: launchParameters ? { ...webApp, launchParameters } : webApp,
    })
    expect(await wrapper.launch(byArguments, 'queryexercises=knee', 'tab=x', 'wait=true')).toEqual(completed)
    expect(wrapper.calls.at(-1)).toEqual({
      handler: 'queryExercises',
      args: { text: 'knee' },
      via: 'arguments',
    })
  })

  test('wait for a page that connects, only for the time limit if no command waits', async () => {
    await using wrapper = await startTestWrapper({ isOnline: false, commandTimeoutMs: 200 })
    expect(await wrapper.launch('tab=lost', 'wait=true')).toEqual(completed)
    const launched = wrapper.launch(byArguments, 'queryexercises=knee', 'tab=kept', 'wait=true')
    wrapper.goOnline()
    expect(await launched).toEqual(completed)
    expect(wrapper.calls.map(({ args }) => args)).toEqual([{ tab: 'kept' }, { text: 'knee' }])
  })

  test('above the limits are left out', async () => {
    await using wrapper = await startTestWrapper()
    const many = Array.from({ length: 70 }, (_, index) => `p${index}=${index}`)
    await wrapper.launch(`long=${'x'.repeat(4097)}`, `${'n'.repeat(65)}=1`, ...many, 'wait=true')
    const given = Object.keys(wrapper.calls[0]?.args ?? {})
    expect([given.length, given[0], given.at(-1)]).toEqual([64, 'p0', 'p63'])
  })

  test('of an integrator’s provider are those that it gives', async () => {
    const name = 'Acme.Journal.Component, Acme.Journal'
    await using wrapper = await startTestWrapper({
      providers: {
        [name]: {
          provide: async ({ arguments: { otherValues } }) => ({
            commands: [],
            ...(otherValues.token ? {} : { launchParameters: { Tab: otherValues.page ?? '' } }),
          }),
        },
      },
    })
    await wrapper.launch(`provider=${name}`, 'token=Secret', 'wait=true')
    await wrapper.launch(`provider=${name}`, 'page=patients', 'wait=true')
    expect(wrapper.calls).toEqual([{ handler: 'launchParameters', args: { tab: 'patients' } }])
  })
})

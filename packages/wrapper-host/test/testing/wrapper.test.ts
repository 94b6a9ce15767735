import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Server } from 'node:net'
import { dirname, join } from 'node:path'
import { connectWrapper, findWrappers } from '@service-link/pipe-client'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test, vi } from 'vitest'
import { writeUserConfig } from '../../src/settings/config-file.ts'
import { createMemoryWebApp } from '../../src/testing/memory-web-app.ts'
import { startTestWrapper, type TestWrapper } from '../../src/testing/start-test-wrapper.ts'
import type { TestWrapperOptions } from '../../src/testing/test-wrapper-options.ts'
import { HostCallError } from '../../src/web-app/page/messages.ts'
import { payloadArgument } from '../support/provider-input.ts'
import { settingsFolders } from '../support/settings-folders.ts'

const soon = { timeout: 60_000 }
const kari = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann', dateOfBirth: '1980-04-03' }
const kariAsArguments = ['id=4711', 'firstname=Kari', 'lastname=Nordmann', 'dateofbirth=1980-04-03']
const byArguments = 'provider=Service.Desktop.Arguments.Component, Service.Desktop'

const clientOf = ({ folders: { userFolder } }: TestWrapper) => connectWrapper({ userFolder })

async function startWithClient(options: TestWrapperOptions = {}) {
  const wrapper = await startTestWrapper(options)
  const client = await clientOf(wrapper)
  return { wrapper, client, [Symbol.asyncDispose]: () => wrapper.close() }
}

describe('a test wrapper', () => {
  test('is driven over its pipe, and its web app keeps persons and workouts [4.5-selectperson]', async () => {
    const webApp = createMemoryWebApp({
      users: [{ id: 8, customId: 'A', firstname: 'Ola' }],
      workouts: [
        { id: 3, userId: 8, name: 'Knee', lastChangedAt: '2026-02-01T10:00:00Z' },
        { id: 4, userId: 8, name: 'Hip', lastChangedAt: '2025-02-01T10:00:00Z' },
      ],
    })
    await using started = await startWithClient({ webApp, version: '3.1.4.1' })
    const { wrapper, client } = started
    expect(await client.version()).toBe('3.1.4.1')
    expect(await client.selectPerson(kari)).toEqual({
      status: 'created',
      userId: 9,
      customId: '4711',
      focusNumber: 1,
    })
    expect(await client.selectPerson(kari)).toMatchObject({ status: 'selected', userId: 9 })
    await expect(client.selectPerson({ ...kari, firstname: 'Ola' })).rejects.toMatchObject({
      commandCode: 'ERR_ARGS',
    })
    expect(await client.selectPerson({ ...kari, userId: 8 })).toMatchObject({ status: 'selected', userId: 8 })
    expect(await client.getListOfUsers({ customId: 'A' })).toMatchObject([
      { id: 8, firstname: 'Ola', lastname: 'Nordmann' },
    ])
    await client.setCustomId({ userId: 8, customId: '4711' })
    expect(await client.getListOfUsers({ customId: '4711' })).toHaveLength(2)
    await expect(client.selectPerson(kari)).rejects.toMatchObject({ commandCode: 'ERR_ARGS' })
    await expect(client.getWorkoutsForClient({ customId: '4711' })).rejects.toMatchObject({
      commandCode: 'ERR_ARGS',
    })
    expect(await client.getWorkoutsForClient({ userId: 8 })).toMatchObject([{ id: 3 }, { id: 4 }])
    expect(await client.getWorkoutsForClient({ userId: 8, from: '2026-01-01' })).toMatchObject([{ id: 3 }])
    await expect(client.getWorkoutsForClient({ customId: 'nobody' })).rejects.toMatchObject({
      commandCode: 'ERR_NOT_FOUND',
    })
    await client.openWorkout(3)
    await expect(client.openWorkout(99)).rejects.toMatchObject({ commandCode: 'ERR_NOT_FOUND' })
    expect(wrapper.calls[0]).toEqual({ handler: 'selectPerson', args: kari, via: 'pipe' })
  })

  test.each([undefined, null])('names the reply that a handler did not give: %s', async reply => {
    await using started = await startWithClient({ webApp: { selectPerson: () => reply as never } })
    await expect(started.client.selectPerson(kari)).rejects.toMatchObject({
      commandCode: 'ERR_WEB_APP',
      message: expect.stringContaining('answered selectperson in another shape: it '),
    })
    expect(started.wrapper.pageErrors).toEqual([])
  })

  test('takes handed-over launches in order [1-single-instance]', async () => {
    await using wrapper = await startTestWrapper({ argv: [byArguments, ...kariAsArguments] })
    expect(await wrapper.nextCall()).toEqual({ handler: 'selectPerson', args: kari, via: 'arguments' })
    const outcome = await wrapper.launch(byArguments, 'queryexercises=knee', 'wait=true')
    expect(outcome).toEqual({ status: 'completed' })
    const next = await wrapper.nextCall()
    expect(next).toEqual({ handler: 'queryExercises', args: { text: 'knee' }, via: 'arguments' })
    expect(await wrapper.launch('provider=No.Such, Provider')).toMatchObject({
      status: 'refused',
      code: 'ERR_PROVIDER_UNKNOWN',
    })
    await expect(wrapper.nextCall({ timeoutMs: 1 })).rejects.toMatchObject({
      code: 'ERR_NO_CALL',
      waitedMs: 1,
    })
  })

  test('answers by a test’s handlers, and keeps their errors for the test', async () => {
    const secret = new Error('Ola Nordmann')
    await using started = await startWithClient({
      webApp: {
        getListOfUsers: () => [{ id: 1, own: 'kept' }],
        openWorkout() {
          throw secret
        },
        setCustomId() {
          throw new HostCallError('ERR_NOT_FOUND', 'There is nobody.')
        },
      },
    })
    const { wrapper, client } = started
    expect(await client.getListOfUsers()).toEqual([{ id: 1, own: 'kept' }])
    await expect(client.openWorkout(1)).rejects.toMatchObject({ commandCode: 'ERR_WEB_APP' })
    expect(wrapper.pageErrors).toEqual([secret])
    await expect(client.setCustomId({ userId: 1, customId: 'x' })).rejects.toMatchObject({
      commandCode: 'ERR_NOT_FOUND',
      message: 'There is nobody. (ERR_NOT_FOUND)',
    })
    await expect(client.selectPerson(kari)).rejects.toMatchObject({ commandCode: 'ERR_WEB_APP' })
  })

  test('can have a page without an answer', async () => {
    await using started = await startWithClient({ commandTimeoutMs: 50 })
    const { wrapper, client } = started
    wrapper.hangPage()
    await expect(client.getListOfUsers()).rejects.toMatchObject({ commandCode: 'ERR_TIMEOUT' })
  })

  test('has no network on request, and shows that its service cannot be reached', async () => {
    await using started = await startWithClient({ isOnline: false })
    const { wrapper, client } = started
    await vi.waitFor(() => expect(wrapper.window.ownPage?.buttons).toHaveLength(1), soon)
    const users = client.getListOfUsers()
    wrapper.goOnline()
    wrapper.window.pressButton(wrapper.window.ownPage?.buttons[0]?.action ?? '')
    expect(await users).toEqual([])
    expect(wrapper.window.ownPage).toBeUndefined()
  })

  test('runs beside others in one process, each found by its own names [4.5-name]', async () => {
    await using first = await startTestWrapper()
    await using second = await startTestWrapper({ webApp: createMemoryWebApp({ users: [{ id: 5 }] }) })
    expect(first.brand.pipePrefix).toBe('servicepipe')
    expect(second.brand.pipePrefix).toBe('servicepipe_2')
    expect(second.pipeAddress).not.toBe(first.pipeAddress)
    const [one, two] = await Promise.all([clientOf(first), clientOf(second)])
    expect(await one.getListOfUsers()).toEqual([])
    expect(await two.getListOfUsers()).toEqual([{ id: 5 }])
    const found = await findWrappers({ userFolder: second.folders.userFolder })
    expect(found).toMatchObject([{ pid: process.pid }])
  })

  test('leaves nothing behind', async () => {
    const wrapper = await startTestWrapper()
    const { applicationRoot } = wrapper.folders
    const { pipeAddress: pipe = '' } = wrapper
    expect(existsSync(pipe) || process.platform === 'win32').toBe(true)
    await wrapper.close()
    expect(existsSync(dirname(applicationRoot))).toBe(false)
    expect(existsSync(pipe)).toBe(false)
    await using next = await startTestWrapper()
    expect(next.pipeAddress).toBe(wrapper.pipeAddress)
  })

  test('outlives a connection that its servers cannot accept, and reports it', async () => {
    using listen = vi.spyOn(Server.prototype, 'listen')
    await using wrapper = await startTestWrapper()
    const failed = Object.assign(new Error('accept EMFILE /home/kari'), { code: 'EMFILE' })
    for (const server of listen.mock.contexts) if (server instanceof Server) server.emit('error', failed)
    expect(wrapper.notices).toEqual([
      'A program could not connect to the wrapper (EMFILE).',
      'A program could not connect to the wrapper (EMFILE).',
    ])
    await using client = await connectWrapper({ userFolder: wrapper.folders.userFolder })
    expect(await client.getListOfUsers()).toEqual([])
  })

  test('does not start with invalid settings, and then leaves nothing behind', async () => {
    await expect(startTestWrapper({ settings: { AppUrl: 'nonsense' } })).rejects.toMatchObject({
      code: 'ERR_APP_URL',
      message: expect.stringMatching(/into \S.*Service\.Client\.WebWrapper\.exe\.config\.$/),
    })
    await using next = await startTestWrapper()
    expect(next.brand.pipePrefix).toBe('servicepipe')
  })

  test('refuses what would do nothing', async () => {
    const relative = startTestWrapper({ folders: { applicationRoot: 'root', userFolder: 'user' } })
    await expect(relative).rejects.toMatchObject({ code: 'ERR_OPTION', option: 'folders' })
    const users = [{ id: '1' as never }]
    expect(() => createMemoryWebApp({ users })).toThrow('options.users.0.id must be an integer.')
    const birthday = [{ id: 1, birthday: '1980-02-03' }]
    expect(() => createMemoryWebApp({ users: birthday })).toThrow(
      'options.users.0.birthday is not known; write dateOfBirth.',
    )
    const others = { users: [{ id: 1, CUSTOMID: '4711', shoeSize: 42 }] }
    expect(createMemoryWebApp(others).getListOfUsers({})).toEqual([{ id: 1, customId: '4711', shoeSize: 42 }])
    await using wrapper = await startTestWrapper()
    expect(() => wrapper.selectInPage({ customid: '1' } as never)).toThrow('Did you mean customId?')
    expect(() => wrapper.launch(['id=1'] as never)).toThrow('argv.0 must be text.')
  })

  test('reads a test’s files in its folders', async () => {
    const prepare = vi.fn()
    await using wrapper = await startTestWrapper({ prepare })
    expect(prepare).toHaveBeenCalledWith(wrapper.folders)
  })

  test('fills given folders, and starts again in them', async () => {
    await using made = await temporaryFolder()
    const folders = { applicationRoot: join(made.path, 'new', 'root'), userFolder: join(made.path, 'user') }
    const options = { folders, settings: { AppUrl: 'https://given.invalid/' } }
    await (await startTestWrapper(options)).close()
    await (await startTestWrapper(options)).close()
    const other = startTestWrapper({ folders, settings: { Culture: 'nb-NO' } })
    await expect(other).rejects.toMatchObject({
      code: 'ERR_OPTION',
      message: expect.stringContaining('Leave out settings, or remove the file.'),
    })
  })

  test('runs in given folders with their settings, and leaves them', async () => {
    await using made = await settingsFolders()
    const { folders, brand } = made.options
    await writeFile(made.configFile, writeUserConfig(brand, { AppUrl: 'https://given.invalid/' }))
    await using wrapper = await startTestWrapper({ folders })
    expect(wrapper.folders).toEqual(folders)
    await wrapper.launch(await payloadArgument(folders.userFolder), 'wait=true')
    expect(wrapper.posts).toMatchObject([{ url: 'https://given.invalid/partner/payload' }])
    await expect(startTestWrapper({ folders })).rejects.toThrow('runs in these folders already')
    await wrapper.close()
    expect([made.configFile, folders.userFolder].map(existsSync)).toEqual([true, true])
    await using next = await startTestWrapper({ folders })
    expect(next.folders).toEqual(folders)
  })
})

describe('a test wrapper’s page', () => {
  test('shows what it was told and what it told, and knows its person by the ids of the reply', async () => {
    await using started = await startWithClient({ version: '3.1.4.1', isSignedIn: false })
    const { wrapper, client } = started
    const events = client.events({ events: ['personselected'] })[Symbol.asyncIterator]()
    const told = events.next()
    wrapper.signIn()
    await client.selectPerson(kari)
    expect(await told).toMatchObject({ value: { person: { userId: 1, customId: '4711' } } })
    wrapper.signOut()
    expect(wrapper.pageEvents).toEqual([
      { type: 'welcome', info: { version: '3.1.4.1', distributorName: '', launchParameters: {} } },
      { type: 'signedIn' },
      { type: 'call', handler: 'selectPerson', args: kari, via: 'pipe' },
      { type: 'personSelected', person: { ...kari, userId: 1 } },
      { type: 'signedOut' },
    ])
  })

  test('reports a known person whole, as a real page does', async () => {
    const app = createMemoryWebApp({ users: [{ id: 17, ...kari }] })
    await using started = await startWithClient({ webApp: { ...app, openWorkout: () => undefined } })
    const { wrapper, client } = started
    const told = client.events({ events: ['personselected'] })[Symbol.asyncIterator]()
    const [first, second] = [told.next(), told.next()]
    await client.status()
    wrapper.selectInPage({ customId: '4711' })
    wrapper.selectInPage({ customId: 'unknown' })
    const { dateOfBirth: _untold, ...names } = kari
    expect(await first).toMatchObject({ value: { person: { ...names, userId: 17 } } })
    expect(await second).toMatchObject({ value: { person: { customId: 'unknown' } } })
  })

  test('ends every call at once after the wrapper’s end [4.5-close]', async () => {
    await using started = await startWithClient()
    const { wrapper, client } = started
    await client.getListOfUsers()
    expect(await wrapper.nextCall()).toMatchObject({ handler: 'getListOfUsers' })
    const waiting = expect(wrapper.nextCall({ timeoutMs: 2 ** 31 - 1 })).rejects.toMatchObject({
      code: 'ERR_CLOSING',
    })
    await wrapper.close()
    await waiting
    await expect(wrapper.nextCall({ timeoutMs: 2 ** 31 - 1 })).rejects.toMatchObject({ code: 'ERR_CLOSING' })
    const { signIn, signOut, crashPage, hangPage, loseEngine } = wrapper
    for (const act of [signIn, signOut, crashPage, hangPage, loseEngine, () => wrapper.selectInPage(kari)])
      expect(act).toThrow(expect.objectContaining({ code: 'ERR_CLOSING' }))
    await expect(client.getListOfUsers()).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND' })
  })
})

import { hasBrowser } from '@service-link/test-kit/test-window'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageCommand } from '../../src/web-app/bridge.ts'
import { type BridgedPage, openBridgedPage, untilSignedIn } from '../support/bridged-page.ts'

const timeoutMs = 30_000

/** Answers with its arguments, so that tests see the page's view. */
const echoing = `
const calls = []
window.host = connectHost({
  async selectPerson(person) { calls.push(person); return { status: 'created', userId: 17, customId: person.customId } },
  queryExercises(args) { calls.push(args) },
  queryWorkouts(args) { calls.push(args) },
  openWorkout({ id }) {
    if (id === 1) throw new HostCallError('ERR_NOT_FOUND', 'There is no workout with this id.')
    if (id === 2) throw new HostCallError('ERR_NOT_SIGNED_IN', 'x')
    if (id === 3) throw new HostCallError('ERR_ARGS', 'x', [{ path: 'id', problem: 'is not yours' }])
    if (id === 4) throw new Error('Ola Nordmann, born 1970')
    if (id === 5) throw Object.assign(new Error('of another copy'), { name: 'HostCallError', code: 'ERR_NOT_FOUND', issues: [] })
    if (id === 6) return new Promise(() => {})
    calls.push({ id })
  },
  getWorkoutsForClient: args => [{ id: 1, name: JSON.stringify(args), calls }],
  getListOfUsers: ({ customId }) => customId === 'bad' ? [{ id: 'Nordmann' }] : [{ id: 1, customId: customId ?? null }],
})
host.signedIn()
`

describe.runIf(hasBrowser)('a command through the bridge', () => {
  let page: BridgedPage
  beforeAll(async () => {
    page = await openBridgedPage(echoing)
    await untilSignedIn(page.bridge)
  })
  afterAll(() => page[Symbol.asyncDispose]())

  const run = (command: PageCommand) => page.bridge.run(command, timeoutMs)

  it('reaches the page’s handler with its arguments unchanged, and returns the reply', async () => {
    const person = {
      customId: 'å-1',
      firstname: 'Åse',
      lastname: 'O’Hara "😀"',
      userId: undefined,
      profileData: [{ key: 'weight', own: [1, { a: null }] }],
    }
    expect(await run({ name: 'selectperson', args: person })).toEqual({
      status: 'created',
      userId: 17,
      customId: 'å-1',
    })
    await run({ name: 'openworkout', args: { id: 10 } })
    await run({ name: 'queryexercises', args: { text: 'knee' } })
    await run({ name: 'queryworkouts', args: { text: 'hip' } })
    const [workout] = await page.bridge.run(
      { name: 'getworkoutsforclient', args: { customId: 'å-1', from: '2020-01-01' } },
      timeoutMs,
    )
    const { userId, ...sent } = person
    expect(workout).toEqual({
      id: 1,
      name: '{"customId":"å-1","from":"2020-01-01"}',
      calls: [sent, { id: 10 }, { text: 'knee' }, { text: 'hip' }],
    })
    expect(await run({ name: 'getlistofusers', args: { customId: undefined } })).toEqual([
      { id: 1, customId: null },
    ])
  })

  it.each([
    [
      'that something is not there',
      1,
      { code: 'ERR_NOT_FOUND', message: 'There is no workout with this id.' },
    ],
    ['that nobody is signed in', 2, { code: 'ERR_NOT_SIGNED_IN' }],
    ['its arguments', 3, { code: 'ERR_ARGS', issues: [{ path: 'id', problem: 'is not yours' }] }],
    ['with an error of another copy of the module', 5, { code: 'ERR_NOT_FOUND', message: 'of another copy' }],
  ])('fails with the page’s refusal: %s', async (_name, id, expected) => {
    await expect(run({ name: 'openworkout', args: { id } })).rejects.toMatchObject(expected)
  })

  it('fails without a word of the page’s own error', async () => {
    const error = await run({ name: 'openworkout', args: { id: 4 } }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ERR_WEB_APP' })
    expect(String(error)).not.toMatch(/Nordmann|1970/)
  })

  it('fails when the page’s reply has another shape, without repeating it', async () => {
    const error = await run({ name: 'getlistofusers', args: { customId: 'bad' } }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'ERR_WEB_APP', message: expect.stringContaining('0.id') })
    expect(String(error)).not.toContain('Nordmann')
  })

  it('fails when the web app lacks it', async () => {
    const command = { name: 'setcustomid', args: { userId: 1, customId: 'x' } } as const
    await expect(run(command)).rejects.toMatchObject({
      code: 'ERR_WEB_APP',
      message: expect.stringContaining('setcustomid'),
    })
  })

  it('fails after its time, and the next one works', async () => {
    const hanging = page.bridge.run({ name: 'openworkout', args: { id: 6 } }, 100)
    await expect(hanging).rejects.toMatchObject({ code: 'ERR_TIMEOUT', waitedMs: 100 })
    expect(await run({ name: 'openworkout', args: { id: 11 } })).toBeUndefined()
  })

  it('runs while others wait: the page answers in any order', async () => {
    const hanging = page.bridge.run({ name: 'openworkout', args: { id: 6 } }, 300)
    const hasHung = expect(hanging).rejects.toMatchObject({ code: 'ERR_TIMEOUT' })
    const names = ['a', 'b', 'c', 'd']
    const replies = names.map(customId =>
      page.bridge.run({ name: 'getlistofusers', args: { customId } }, timeoutMs),
    )
    expect((await Promise.all(replies)).map(users => users[0]?.customId)).toEqual(names)
    await hasHung
  })
})

import { type Command, CommandTimeoutError, WebAppError } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { commandPage, isOver } from '../../test/support/commanded-page.ts'
import { PageGoneError } from '../web-app/read-page.ts'
import { CommandRunner } from './command-runner.ts'

const limit = { timeout: 60_000, interval: 1 }
const query: Command = { name: 'queryexercises', args: { text: 'squat' } }
const users: Command = { name: 'getlistofusers', args: { customId: undefined } }
const open: Command = { name: 'openworkout', args: { id: 1 } }
const namesOf = ({ calls }: Pick<ReturnType<typeof commandPage>, 'calls'>) =>
  calls.map(({ command }) => command.name)

test('[4.5-version] version is answered before the window is open', async () => {
  const opened = new Promise<never>(() => undefined)
  const runner = new CommandRunner({ opened, version: '3.1.4.1', requestClose: () => undefined })
  expect(await runner.run({ name: 'version', args: {} })).toBe('3.1.4.1')
})

test('a command that takes too long fails with the limit, in whole milliseconds', async () => {
  const { runner } = commandPage({ commandTimeoutMs: 20.4 })
  await expect(runner.run(users)).rejects.toThrow('The web app did not answer within 20 ms.')
  expect(new CommandTimeoutError(29_951.704_688).message).toContain(' 29952 ms')
})

test('[4.5-hide] [4.5-show] window commands go to the window, signed in or not', async () => {
  const { runner, shows, hides } = commandPage({ isSignedIn: false })
  await runner.run({ name: 'hide', args: {} })
  expect([hides(), shows()]).toEqual([1, 0])
  await runner.run({ name: 'show', args: {} })
  expect([hides(), shows()]).toEqual([1, 1])
})

test('a command that shows something to the user raises the window; a reading one does not', async () => {
  const { runner, shows } = commandPage({ isAnswering: true })
  await runner.run(users)
  expect(shows()).toBe(0)
  await runner.run(open)
  expect(shows()).toBe(1)
})

test('without a sign-in the window is shown and the command waits', async () => {
  const { runner, calls, shows, setSignedIn } = commandPage({ isSignedIn: false, isAnswering: true })
  const running = runner.run(users)
  await expect.poll(shows, limit).toBe(1)
  expect(calls).toEqual([])
  setSignedIn(true)
  await running
})

test('commands that raise the window keep their order, even when a later one skips the wait', async () => {
  const showing = Promise.withResolvers<void>()
  const page = commandPage({ isSignedIn: false, isAnswering: true, show: () => showing.promise })
  const first = page.runner.run(query)
  await expect.poll(page.shows, limit).toBe(1)
  page.setSignedIn(true)
  const second = page.runner.run(open)
  // The second has all the time it needs.
  await page.runner.run(users)
  showing.resolve()
  await Promise.all([first, second])
  expect(namesOf(page)).toEqual(['getlistofusers', 'queryexercises', 'openworkout'])
})

test('without a sign-in within the limit: ERR_NOT_SIGNED_IN, even behind a waiting launch', async () => {
  const { runner } = commandPage({ isSignedIn: false, commandTimeoutMs: 20 })
  runner.runLaunch({ commands: [query] }).catch(() => undefined)
  await expect(runner.run(open)).rejects.toMatchObject({ code: 'ERR_NOT_SIGNED_IN' })
  runner.close()
})

test('a launch is one piece: no pipe command interrupts it', async () => {
  const page = commandPage({ isAnswering: true })
  await Promise.all([page.runner.runLaunch({ commands: [query, open] }), page.runner.run(open)])
  expect(namesOf(page)).toEqual(['queryexercises', 'openworkout', 'openworkout'])
})

test.each<[string, () => Error, boolean, number]>([
  ['went away: again', () => new PageGoneError('gone'), false, 2],
  ['hung and was restarted: again', () => new CommandTimeoutError(1), true, 2],
  ['is merely slow: not again', () => new CommandTimeoutError(1), false, 1],
  ['refuses: not again', () => new WebAppError('no'), true, 1],
])('a launch’s command whose page %s', async (_title, fail, isRestarted, count) => {
  const { runner, calls } = commandPage({ isRestarted })
  const launch = runner.runLaunch({ commands: [open] }).catch(() => undefined)
  await expect.poll(() => calls.length, limit).toBe(1)
  calls[0]?.fail(fail())
  if (count === 2) {
    await expect.poll(() => calls.length, limit).toBe(2)
    calls[1]?.answer()
  }
  await launch
  expect(calls).toHaveLength(count)
})

test('a launch with a payload stays at the former user’s sign-out, like those behind it', async () => {
  const { runner, log, setSignedIn } = commandPage({ isAnswering: true })
  const answered = Promise.withResolvers<void>()
  const signingOn = runner.runLaunch({ commands: [open], payload: 'a.b.c' }, answered.promise)
  const behind = runner.runLaunch({ commands: [query] })
  await runner.run(users)
  setSignedIn(false)
  setSignedIn(true)
  answered.resolve()
  await Promise.all([signingOn, behind])
  const begun = ['begin getlistofusers', 'signed on', 'begin openworkout 1', 'begin queryexercises']
  expect(log.filter(entry => !entry.startsWith('end'))).toEqual(begun)
})

test('a launch that waits for the first sign-in does not run for the second', async () => {
  const page = commandPage({ isSignedIn: false, isAnswering: true })
  const { runner, shows, setSignedIn } = page
  const answered = Promise.withResolvers<void>()
  runner.runLaunch({ commands: [query] }, answered.promise).catch(() => undefined)
  const launch = runner.runLaunch({ commands: [open] })
  const command = runner.run(open)
  const rejection = expect(command).rejects.toMatchObject({ code: 'ERR_NOT_SIGNED_IN' })
  await expect.poll(shows, limit).toBeGreaterThan(0)
  setSignedIn(true)
  setSignedIn(false)
  await expect(launch).rejects.toMatchObject({ code: 'ERR_SIGNED_OUT' })
  await rejection
  answered.resolve()
  setSignedIn(true)
  await runner.run(users)
  expect(namesOf(page)).not.toContain('openworkout')
})

test('a launch without commands shows the window', async () => {
  const { runner, shows } = commandPage()
  await runner.runLaunch({ commands: [] })
  expect(shows()).toBe(1)
})

test('a launch that ends something has its place before it is answered: a later one counts', async () => {
  const { runner, calls } = commandPage({ isAnswering: true })
  const answered = Promise.withResolvers<void>()
  const ending = runner.runLaunch({ commands: [{ name: 'clearperson', args: {} }] }, answered.promise)
  const later = runner.runLaunch({ commands: [{ name: 'selectperson', args: { customId: 'B' } }] })
  answered.resolve()
  await Promise.all([ending, later])
  expect(namesOf({ calls })).toEqual(['selectperson'])
})

test('a provider’s end beside a payload comes behind the sign-on', async () => {
  const { runner, log } = commandPage({ isAnswering: true })
  await runner.runLaunch({ payload: 'a.b.c', commands: [{ name: 'clearperson', args: {} }] })
  expect(log).toEqual(['signed on', 'begin clearperson', 'end clearperson'])
})

test('a person whom a sign-on under way brings is cleared behind it', async () => {
  const posted = Promise.withResolvers<void>()
  const signOn = () => posted.promise
  const { runner, log, setSignedIn } = commandPage({ isSignedIn: false, isAnswering: true, signOn })
  const signingOn = runner.runLaunch({ payload: 'a.b.c', commands: [] })
  const clearing = runner.run({ name: 'clearperson', args: {} })
  expect(await isOver(clearing)).toBe(false)
  posted.resolve()
  setSignedIn(true)
  await Promise.all([signingOn, clearing])
  expect(log).toEqual(['signed on', 'begin clearperson', 'end clearperson'])
})

test('a sign-out takes the place of a sign-on that was taken before', async () => {
  const { runner } = commandPage({ isSignedIn: false, signOn: () => new Promise(() => undefined) })
  const signingOn = runner.runLaunch({ payload: 'a.b.c', commands: [] })
  const failing = expect(signingOn).rejects.toMatchObject({ code: 'ERR_SUPERSEDED' })
  await runner.run({ name: 'signout', args: {} })
  await failing
})

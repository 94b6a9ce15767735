import type { Command } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { commandPage, isOver } from '../support/commanded-page.ts'

const limit = { timeout: 60_000, interval: 1 }
const open = (id: number): Command => ({ name: 'openworkout', args: { id } })
const users: Command = { name: 'getlistofusers', args: { customId: undefined } }

test.each([
  ['one that shows something', open(1)],
  ['one that reads', users],
])('a canceled command answers at once and ends with the page’s answer: %s', async (_title, command) => {
  const { runner, calls } = commandPage()
  const giveUp = new AbortController()
  const { answer, ended } = runner.begin(command, { signal: giveUp.signal })
  await expect.poll(() => calls.length, limit).toBe(1)
  giveUp.abort(new Error('given up'))
  await expect(answer).rejects.toThrow('given up')
  expect(await isOver(ended)).toBe(false)
  calls[0]?.answer()
  await ended
})

test('a command ends with its answer, when done, refused or never begun', async () => {
  const { runner, calls } = commandPage()
  const done = runner.begin(users)
  const refused = runner.begin(users)
  const late = runner.begin(users, { signal: AbortSignal.abort(new Error('late')) })
  await expect.poll(() => calls.length, limit).toBe(2)
  calls[0]?.answer([])
  calls[1]?.fail(new Error('no'))
  expect(await done.answer).toEqual([])
  await expect(refused.answer).rejects.toThrow('no')
  await expect(late.answer).rejects.toThrow('late')
  await Promise.all([done.ended, refused.ended, late.ended])
  const own = runner.begin({ name: 'version', args: {} })
  expect(await own.answer).toBe('3.0.0.0')
  await own.ended
  runner.close()
  const closed = runner.begin(users)
  await expect(closed.answer).rejects.toMatchObject({ code: 'ERR_CLOSING' })
  await closed.ended
})

test.each([0, -5])('[4.5-openworkout] the workout %i is opened nowhere, signed in or not', async id => {
  const { runner, calls, carriedOut, shows, setSignedIn } = commandPage()
  setSignedIn(false)
  expect(await runner.run(open(id))).toBeUndefined()
  await runner.begin(open(id)).ended
  setSignedIn(true)
  const launch = runner.runLaunch({ commands: [open(id), open(1)] })
  await expect.poll(() => calls.length, limit).toBe(1)
  calls[0]?.answer()
  await launch
  expect([carriedOut, shows()]).toEqual([[open(1)], 1])
})

test('a sign-out fails the user’s commands: begun ones may have an effect, waiting ones have none', async () => {
  const { runner, calls, carriedOut, shows, setSignedIn } = commandPage()
  const runs = [open(1), users].map(command => runner.begin(command))
  const waiting = runner.run(open(2))
  await expect.poll(() => calls.length, limit).toBe(2)
  setSignedIn(false)
  for (const { answer } of runs)
    await expect(answer).rejects.toMatchObject({
      code: 'ERR_CANCELLED',
      message: expect.stringContaining('Whether the command had an effect is not known.'),
    })
  await expect(waiting).rejects.toMatchObject({
    code: 'ERR_NOT_SIGNED_IN',
  })
  setSignedIn(true)
  for (const call of calls) call.answer()
  await Promise.all(runs.map(({ ended }) => ended))
  expect(calls).toHaveLength(2)
  expect([carriedOut, shows()]).toEqual([[], 0])
})

test('a command canceled before the sign-out does not reach the next user’s events', async () => {
  const { runner, calls, carriedOut, setSignedIn } = commandPage()
  const giveUp = new AbortController()
  const { answer, ended } = runner.begin(open(1), { signal: giveUp.signal })
  await expect.poll(() => calls.length, limit).toBe(1)
  giveUp.abort(new Error('given up'))
  await expect(answer).rejects.toThrow('given up')
  setSignedIn(false)
  setSignedIn(true)
  calls[0]?.answer()
  await ended
  expect(carriedOut).toEqual([])
})

test('where nobody is signed in, nobody is to be cleared, unless a payload’s employee is expected', async () => {
  const clear: Command = { name: 'clearperson', args: {} }
  const nobody = commandPage({ isSignedIn: false })
  expect(await nobody.runner.run(clear)).toBeUndefined()
  const expected = commandPage({ isSignedIn: false, isExpected: true, commandTimeoutMs: 20 })
  await expect(expected.runner.run(clear)).rejects.toMatchObject({ code: 'ERR_NOT_SIGNED_IN' })
  const later = commandPage({ isSignedIn: false, isExpected: true, isAnswering: true })
  const cleared = later.runner.run(clear)
  await isOver(cleared)
  later.setSignedIn(true)
  await cleared
  expect(later.log).toEqual(['begin clearperson', 'end clearperson'])
})

test('a command that waited for a sign-in then belongs to that user', async () => {
  const { runner, calls, setSignedIn } = commandPage({ isSignedIn: false })
  const { answer } = runner.begin(users)
  expect(await isOver(answer)).toBe(false)
  setSignedIn(true)
  await expect.poll(() => calls.length, limit).toBe(1)
  setSignedIn(false)
  await expect(answer).rejects.toMatchObject({ code: 'ERR_CANCELLED' })
})

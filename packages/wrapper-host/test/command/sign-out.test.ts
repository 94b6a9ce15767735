import type { Command } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { commandPage, isOver } from '../support/commanded-page.ts'

const limit = { timeout: 60_000, interval: 1 }
const open = (id: number): Command => ({ name: 'openworkout', args: { id } })
const users: Command = { name: 'getlistofusers', args: { customId: undefined } }

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

test('a command that waited for a sign-in then belongs to that user', async () => {
  const { runner, calls, setSignedIn } = commandPage({ isSignedIn: false })
  const { answer } = runner.begin(users)
  expect(await isOver(answer)).toBe(false)
  setSignedIn(true)
  await expect.poll(() => calls.length, limit).toBe(1)
  setSignedIn(false)
  await expect(answer).rejects.toMatchObject({ code: 'ERR_CANCELLED' })
})

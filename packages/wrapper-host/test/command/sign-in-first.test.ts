import type { Command } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { SignOnRefusedError } from '../../src/web-app/sign-on.ts'
import { commandPage, isOver } from '../support/commanded-page.ts'

const limit = { timeout: 60_000, interval: 1 }
const open = (id: number): Command => ({ name: 'openworkout', args: { id } })

/** A page without a user. It answers each command at once; a payload signs its employee in, unless it is `refused` or `log-in`. */
function signedOutPage(hasOwnLogIn = true) {
  const order: (number | string)[] = []
  const page = commandPage({
    isSignedIn: false,
    hasOwnLogIn,
    async signOn(payload) {
      order.push(payload)
      if (payload === 'refused') throw new SignOnRefusedError(401)
      if (payload === 'log-in') return
      page.setSignedIn(false)
      page.setSignedIn(true)
    },
  })
  const launch = (id: number | undefined, payload?: string) => {
    const commands = id === undefined ? [] : [open(id)]
    const launchParameters = hasOwnLogIn ? undefined : { lang: 'nb' }
    const run = page.runner.runLaunch({
      commands,
      launchParameters,
      ...(payload === undefined ? {} : { payload }),
    })
    run.catch(() => undefined)
    return run
  }
  let answered = 0
  /** Answers commands until all runs have ended; returns sign-ons and commands in order. */
  const end = async (...runs: readonly Promise<unknown>[]) => {
    const all = Promise.allSettled(runs)
    while (!(await isOver(all))) {
      for (const call of page.calls.slice(answered)) {
        order.push('id' in call.command.args ? Number(call.command.args.id) : call.command.name)
        call.answer()
        answered++
      }
    }
    return order
  }
  return { ...page, launch, end, order }
}

test('a launch that signs in goes before those that wait for a sign-in, which follow in their order', async () => {
  const { launch, end, shows } = signedOutPage()
  const waiting = [launch(1), launch(2)]
  await expect.poll(shows, limit).toBe(1)
  expect(await end(...waiting, launch(3, 'ada'))).toEqual(['ada', 3, 1, 2])
})

test('a launch with a payload and nothing else lets those go on that wait for a sign-in', async () => {
  const { launch, end } = signedOutPage()
  expect(await end(launch(1), launch(2), launch(undefined, 'ada'))).toEqual(['ada', 1, 2])
})

test('launches for two employees keep their order; those that waited belong to the first', async () => {
  const { launch, end } = signedOutPage()
  expect(await end(launch(1), launch(2, 'ada'), launch(3, 'bob'), launch(4))).toEqual([
    'ada',
    2,
    1,
    'bob',
    3,
    4,
  ])
})

test('a refused payload fails alone; the others wait for the next', async () => {
  const { launch, end } = signedOutPage()
  const waiting = launch(1)
  const refused = launch(2, 'refused')
  await expect(refused).rejects.toMatchObject({ code: 'ERR_SIGN_ON_REFUSED' })
  expect(await isOver(waiting)).toBe(false)
  expect(await end(waiting, launch(3, 'ada'))).toEqual(['refused', 'ada', 3, 1])
})

test('a launch whose payload leads to a log-in gives way to another, and is not carried out for its employee', async () => {
  const { launch, end } = signedOutPage()
  const first = launch(1, 'log-in')
  const second = launch(2, 'bob')
  expect(await end(first, second)).toEqual(['log-in', 'bob', 2])
  await expect(first).rejects.toMatchObject({ code: 'ERR_SIGNED_OUT' })
  await second
})

test('the same holds while launches with parameters wait for a page, as behind the log-in of another site', async () => {
  const { launch, end } = signedOutPage(false)
  const [waiting, first, second] = [launch(1), launch(2, 'log-in'), launch(3, 'bob')]
  expect(await end(waiting, first, second)).toEqual(['log-in', 'bob', 3, 1])
  await expect(first).rejects.toMatchObject({ code: 'ERR_SIGNED_OUT' })
})

test('a sign-out between them fails the launch that waited, and it never runs for the next user', async () => {
  const { launch, end, setSignedIn, calls } = signedOutPage()
  const waiting = launch(1)
  const signingOn = launch(2, 'ada')
  await expect.poll(() => calls.length, limit).toBe(1)
  setSignedIn(false)
  for (const run of [waiting, signingOn]) await expect(run).rejects.toMatchObject({ code: 'ERR_SIGNED_OUT' })
  setSignedIn(true)
  expect(await end(launch(3))).toEqual(['ada', 2, 3])
})

test('a command of the pipe that waits for a sign-in does not hold it up', async () => {
  const { runner, launch, end } = signedOutPage()
  const waiting = [launch(1), runner.run(open(2)), runner.run(open(3))]
  expect(await end(...waiting, launch(4, 'ada'))).toEqual(['ada', 4, 1, 2, 3])
})

test('a running command is not interrupted, and a launch for the user who is signed in keeps its place', async () => {
  const { launch, end, setSignedIn, calls, order } = signedOutPage()
  setSignedIn(true)
  const running = launch(1)
  await expect.poll(() => calls.length, limit).toBe(1)
  const behind = launch(2)
  const signingOn = launch(3, 'ada')
  expect(await isOver(signingOn)).toBe(false)
  expect(order).toEqual([])
  expect(await end(running, behind, signingOn)).toEqual([1, 2, 'ada', 3])
})

test('a launch that waits is given up when the wrapper closes, whether another has gone before it or not', async () => {
  const { runner, launch } = signedOutPage()
  const runs = [launch(1), launch(2, 'log-in'), launch(3)]
  expect(await isOver(Promise.race(runs))).toBe(false)
  runner.close()
  for (const run of runs) await expect(run).rejects.toMatchObject({ code: 'ERR_CLOSING' })
})

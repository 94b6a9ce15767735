import { type Command, CommandTimeoutError } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { PageGoneError } from '../../src/web-app/read-page.ts'
import { commandPage, isOver } from '../support/commanded-page.ts'

const limit = { timeout: 60_000, interval: 1 }
const open = (id: number): Command => ({ name: 'openworkout', args: { id } })
const turnTimeout = {
  code: 'ERR_TIMEOUT',
  message: expect.stringMatching(/^The command waited for its turn, .* Nothing was done\.$/),
}

test.each<[string, (call: ReturnType<typeof commandPage>['calls'][0]) => void]>([
  ['has answered', call => call.answer()],
  ['has gone', call => call.fail(new PageGoneError('gone'))],
  ['has had the time limit for it', call => call.fail(new CommandTimeoutError(30_000))],
])('a canceled command keeps its turn until the page %s', async (_title, end) => {
  const { runner, calls } = commandPage()
  const giveUp = new AbortController()
  const first = runner.run(open(1), giveUp.signal)
  await expect.poll(() => calls.length, limit).toBe(1)
  giveUp.abort(new Error('given up'))
  await expect(first).rejects.toThrow('given up')
  const second = runner.run(open(2))
  expect(await isOver(second)).toBe(false)
  expect(calls).toHaveLength(1)
  if (calls[0]) end(calls[0])
  await expect.poll(() => calls.length, limit).toBe(2)
  calls[1]?.answer()
  await second
})

test('a timed-out command keeps its turn while the page works, up to the page’s whole limit', async () => {
  const { runner, calls, carriedOut, shows } = commandPage({ commandTimeoutMs: 1000 })
  const first = runner.begin(open(1))
  await expect(first.answer).rejects.toMatchObject({ code: 'ERR_TIMEOUT', waitedMs: 1000 })
  expect(calls.map(({ timeoutMs }) => timeoutMs)).toEqual([1000])
  expect(await isOver(first.ended)).toBe(false)
  calls[0]?.answer()
  await first.ended
  // It ran without a caller, and the user may have moved on.
  expect([carriedOut, shows()]).toEqual([[open(1)], 0])
})

test('a command whose page never connects says so, and that nothing was done', async () => {
  const { runner, calls } = commandPage({ isSignedIn: false, hasOwnLogIn: false, commandTimeoutMs: 1 })
  await expect(runner.begin(open(1)).answer).rejects.toMatchObject({
    code: 'ERR_TIMEOUT',
    message: expect.stringMatching(/has not connected to the wrapper .* Nothing was done\.$/),
  })
  expect(calls).toEqual([])
})

test('a page is checked after the time limit, even for a canceled command', async () => {
  const { runner, calls, checkCount } = commandPage()
  const giveUp = new AbortController()
  const { answer, ended } = runner.begin(open(1), { signal: giveUp.signal })
  await expect.poll(() => calls.length, limit).toBe(1)
  giveUp.abort(new Error('given up'))
  await expect(answer).rejects.toThrow('given up')
  calls[0]?.fail(new CommandTimeoutError(30_000))
  await ended
  expect(checkCount()).toBe(1)
})

test('a launch whose user signs out fails at once, and keeps its turn until the page’s answer', async () => {
  const { runner, calls, log, setSignedIn } = commandPage()
  const launch = runner.runLaunch({ commands: [open(1), open(2)] })
  await expect.poll(() => calls.length, limit).toBe(1)
  setSignedIn(false)
  await expect(launch).rejects.toMatchObject({ code: 'ERR_SIGNED_OUT' })
  setSignedIn(true)
  const next = runner.run(open(3))
  expect(await isOver(next)).toBe(false)
  calls[0]?.answer()
  await expect.poll(() => calls.length, limit).toBe(2)
  calls[1]?.answer()
  await next
  expect(log).toEqual([
    'begin openworkout 1',
    'end openworkout 1',
    'begin openworkout 3',
    'end openworkout 3',
  ])
})

test('a command without a turn in its limit fails, says so, and is not begun', async () => {
  const { runner, calls } = commandPage({ commandTimeoutMs: 3000 })
  const first = runner.begin(open(1))
  const behind = [2, 3, 4].map(id => runner.run(open(id)))
  const refusals = behind.map(answer => expect(answer).rejects.toMatchObject(turnTimeout))
  await expect(first.answer).rejects.toThrow('The web app did not answer within 3000 ms.')
  await Promise.all(refusals)
  calls[0]?.answer()
  await first.ended
  expect(calls).toHaveLength(1)
})

test('a late timer on a busy machine does not begin it either', async () => {
  const { runner, calls } = commandPage({ commandTimeoutMs: 3000 })
  const first = runner.run(open(1))
  const second = runner.run(open(2))
  await expect.poll(() => calls.length, limit).toBe(1)
  // No timer runs meanwhile, and the page answers before them.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3050)
  calls[0]?.answer()
  await first
  await expect(second).rejects.toMatchObject(turnTimeout)
  expect(calls).toHaveLength(1)
})

/** Resolves when all commands so far wait for their turn. */
const inLine = () => new Promise(resolve => setImmediate(resolve))

/** Answers each command in the page at once until none is left; returns them in order. */
async function carryOut({ calls }: ReturnType<typeof commandPage>, runs: readonly Promise<unknown>[]) {
  const done = Promise.all(runs)
  for (let index = 0; index < runs.length; index++) {
    await expect.poll(() => calls.length, limit).toBe(index + 1)
    calls[index]?.answer()
  }
  await done
  return calls.map(({ command }) => 'id' in command.args && command.args.id)
}

test('64 commands of one client delay another client or a launch by one command', async () => {
  const page = commandPage()
  const [many, few] = [{}, {}]
  const ask = (client: object, id: number) => page.runner.begin(open(id), { client }).answer
  const flood = Array.from({ length: 64 }, (_, index) => ask(many, index + 1))
  await expect.poll(() => page.calls.length, limit).toBe(1)
  const others = [ask(few, 101), ask(few, 102)]
  await inLine()
  const launches = [201, 202].map(id => page.runner.runLaunch({ commands: [open(id)] }))
  const order = await carryOut(page, [...flood, ...others, ...launches])
  expect(order.slice(0, 8)).toEqual([1, 101, 201, 2, 102, 202, 3, 4])
  expect(order.slice(8)).toEqual(Array.from({ length: 60 }, (_, index) => index + 5))
})

test('a launch that signs in keeps its place: commands belong to the user before or after it', async () => {
  const page = commandPage()
  const client = {}
  const ask = (id: number) => page.runner.begin(open(id), { client }).answer
  const before = [ask(1), ask(2), ask(3)]
  await inLine()
  const launch = page.runner.runLaunch({ commands: [open(201)], payload: 'a.b.c' })
  const behind = [ask(4), page.runner.run(open(101))]
  expect(await carryOut(page, [...before, launch, ...behind])).toEqual([1, 2, 3, 201, 4, 101])
  expect(page.log.indexOf('signed on')).toBe(page.log.indexOf('end openworkout 3') + 1)
})

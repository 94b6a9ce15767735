import { expect, test } from 'vitest'
import { writeJunit } from './reports/junit.ts'
import { writePage } from './reports/page.ts'
import { runRole } from './run-role.ts'
import { EndOfRun, NotChecked, type Role, type Scenario } from './scenario.ts'

const row = { spec: '4.5', requirements: ['4.5-hide'], sentence: 'Does <it>.' }

/** A role whose scenarios need no program. */
const role = (
  ...scenarios: readonly Pick<Scenario<AsyncDisposable>, 'id' | 'run'>[]
): Role<object, AsyncDisposable> => ({
  name: 'signer',
  scenarios: scenarios.map(scenario => ({ ...row, ...scenario })),
  describe: () => 'a program',
  open: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
})

const passes = { id: 'passes', run: async () => undefined }
const fails: Pick<Scenario<AsyncDisposable>, 'id' | 'run'> = {
  id: 'fails',
  async run(_subject, { checks }) {
    checks.equal('The code', '<\u0000>', 'ERR_ARGS')
    checks.equal('The members', { b: 1, a: [2] }, { a: [2], b: 1 })
  },
}
const hangs = { id: 'hangs', run: () => new Promise<never>(() => undefined) }

test('a fault, a time-out and an unexpected pass are told', async () => {
  const known = { passes: 'It did not.' }
  const report = await runRole(role(passes, fails, hangs), {}, { knownFailures: known, timeoutMs: 20 })
  expect(report.isAsExpected).toBe(false)
  expect(report.scenarios.map(({ id, outcome, faults }) => [id, outcome, faults])).toEqual([
    ['passes', 'unexpected-pass', []],
    ['fails', 'failed', ['The code: "<\\u0000>", not "ERR_ARGS".']],
    ['hangs', 'failed', ['It did not end within 20 ms.']],
  ])
  expect(report.requirements).toMatchObject([{ id: '4.5-hide', state: 'not-met' }])
  expect(writeJunit(report)).toContain('tests="3" failures="3" skipped="0"')
  expect(writePage(report)).toContain(
    '<strong class="failed">Not as expected</strong>: 2 failed, 1 unexpected pass.',
  )
  expect(writePage(report)).toContain('Does &lt;it&gt;.')
})

test('known failures are as expected', async () => {
  const report = await runRole(role(passes, fails), {}, { knownFailures: { fails: 'Not built yet.' } })
  expect(report.isAsExpected).toBe(true)
  expect(writeJunit(report)).toContain('<skipped message="Not built yet."/>')
  expect(writePage(report)).toContain('Known: Not built yet.')
})

test('runs the chosen scenarios alone, and refuses ids that no scenario has', async () => {
  const report = await runRole(role(passes, fails), {}, { only: ['passes'] })
  expect(report.scenarios.map(({ id }) => id)).toEqual(['passes'])
  // The scenario that did not run may have a fault.
  expect(report.requirements).toMatchObject([{ state: 'not-checked' }])
  for (const options of [{ only: ['passed'] }, { knownFailures: { passed: 'x' } }])
    await expect(runRole(role(passes), {}, options)).rejects.toMatchObject({ code: 'ERR_PARAMETER' })
})

test('what cannot be checked here is skipped, and counts as expected', async () => {
  const skips = { id: 'skips', run: () => Promise.reject(new NotChecked('Not here.')) }
  const report = await runRole(role(passes, skips), {}, { knownFailures: { skips: 'x' } })
  expect(report).toMatchObject({ isAsExpected: true, requirements: [{ state: 'not-checked' }] })
  expect(writeJunit(report)).toContain('<skipped message="Not here."/>')
  expect(writePage(report)).toContain('1 passed, 1 skipped')
})

test('what does not apply to the target leaves a requirement met', async () => {
  const none = { id: 'none', run: () => Promise.reject(new NotChecked('It has none.', 'not-applicable')) }
  const report = await runRole(role(passes, none), {})
  expect(report).toMatchObject({
    isAsExpected: true,
    requirements: [{ state: 'met', scenarios: ['passes'] }],
  })
})

test('a program that cannot be judged ends the run, whatever is known of it', async () => {
  const ends = { id: 'ends', run: () => Promise.reject(new EndOfRun('It cannot be started.')) }
  const report = await runRole(role(ends, passes), {}, { knownFailures: { ends: 'x' } })
  expect(report.isAsExpected).toBe(false)
  expect(report.scenarios.map(({ outcome }) => outcome)).toEqual(['failed', 'skipped'])
})

test('the signal of the caller ends the run', async () => {
  const signal = AbortSignal.abort(new Error('Enough.'))
  await expect(runRole(role(hangs), {}, { signal })).rejects.toThrow('Enough.')
})

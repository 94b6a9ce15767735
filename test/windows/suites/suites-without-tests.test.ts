import { expect, test } from 'vitest'
import { suites } from './suites.ts'
import { suitesWithoutTests } from './suites-without-tests.ts'

const file = (folder: string, ...statuses: string[]) => ({
  name: `Z:\\work\\${folder.replaceAll('/', '\\')}\\test\\any.test.ts`,
  assertionResults: statuses.map(status => ({ status })),
})

test('a suite without tests, or with every test skipped, has not run', () => {
  const testResults = suites.map(({ folder }) => file(folder, 'skipped', 'passed'))
  expect(suitesWithoutTests({ testResults })).toEqual([])
  const [first, second, ...others] = testResults
  if (!first || !second) throw new Error('There are too few suites.')
  const skipped = file(suites[0]?.folder ?? '', 'skipped', 'failed')
  expect(suitesWithoutTests({ testResults: [skipped, ...others] })).toEqual([
    suites[0]?.name,
    suites[1]?.name,
  ])
})

import { expect, test } from 'vitest'
import { deadPid } from '../../../test/_processes.ts'
import { windowsLaunch } from './windows.ts'

// Without taskkill, which only Windows has.
test.each([
  ['not known to have ended, when nothing tells so', new Promise(() => undefined), false],
  ['known to have ended, when it has', Promise.resolve(), true],
])('a process of Windows is %s', async (_title, ended, isKnown) => {
  expect(await windowsLaunch.endTree(deadPid(), ended)).toBe(isKnown)
})

import { expect, test } from 'vitest'
import { rememberSessions } from './remember-sessions.ts'

test('each process is asked about once, with the time that is left then', async () => {
  const asked: [number, number | undefined][] = []
  const loginSessionOf = async (pid: number, bounds?: { readonly timeoutMs: number }) => {
    asked.push([pid, bounds?.timeoutMs])
    return pid === 1 ? undefined : `:${pid}`
  }
  const tell = rememberSessions({ loginSessionOf })
  const bounds = { timeoutMs: 100, spentMs: 30, signal: undefined }
  expect(await Promise.all([tell(1, bounds), tell(2, bounds), tell(2, bounds)])).toEqual([
    undefined,
    ':2',
    ':2',
  ])
  expect(await tell(1, { ...bounds, spentMs: 90 })).toBeUndefined()
  expect(await tell(3, { ...bounds, spentMs: 200 })).toBe(':3')
  expect(asked).toEqual([
    [1, 70],
    [2, 70],
    [3, 0],
  ])
})

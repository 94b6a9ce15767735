import { expect, test } from 'vitest'
import { rememberSessions } from './remember-sessions.ts'

test('each process is asked about once, all of them together, with the time that is left then', async () => {
  const asked: [readonly number[], number | undefined][] = []
  const loginSessionsOf = async (pids: readonly number[], bounds?: { readonly timeoutMs: number }) => {
    asked.push([pids, bounds?.timeoutMs])
    return new Map(pids.filter(pid => pid !== 1).map(pid => [pid, `:${pid}`]))
  }
  const tell = rememberSessions({ loginSessionsOf })
  const bounds = { timeoutMs: 100, spentMs: 30, signal: undefined }
  expect(await tell([1, 2], bounds)).toEqual([undefined, ':2'])
  expect(await tell([2, 1], { ...bounds, spentMs: 90 })).toEqual([':2', undefined])
  expect(await tell([1, 3], { ...bounds, spentMs: 200 })).toEqual([undefined, ':3'])
  expect(asked).toEqual([
    [[1, 2], 70],
    [[3], 0],
  ])
})

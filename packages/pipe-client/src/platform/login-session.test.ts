import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deadPid } from '../../test/_processes.ts'
import { posix } from './posix.ts'
import { readTaskSessions } from './read-task-sessions.ts'

afterEach(() => void vi.unstubAllEnvs())

const sessionOf = async (pid: number) => (await posix.loginSessionsOf([pid])).get(pid)

describe.skipIf(process.platform !== 'linux')('the login session of a process on Linux', () => {
  const sessionWith = async (environment: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, ['-e', 'process.send(1); process.once("message", process.exit)'], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: environment,
    })
    const ended = once(child, 'exit')
    await once(child, 'message')
    try {
      return await sessionOf(child.pid ?? 0)
    } finally {
      child.send(1)
      await ended
    }
  }

  test.each<[NodeJS.ProcessEnv, string]>([
    [{ DISPLAY: ':7.0', A: 'x=y' }, ':7'],
    [{ WAYLAND_DISPLAY: 'wayland-1' }, 'wayland-1'],
    [{ A: '1' }, ''],
  ])('with %j is %j', async (environment, session) => {
    expect(await sessionWith(environment)).toBe(session)
  })

  test('is looked up for this process in its environment as it is now', async () => {
    vi.stubEnv('DISPLAY', ':8')
    expect(await sessionOf(process.pid)).toBe(':8')
  })

  test('cannot be told of one that has ended', async () => {
    expect(await sessionOf(deadPid())).toBeUndefined()
  })
})

describe('the login session in the words of tasklist', () => {
  test.each<[string, string, string | undefined]>([
    ['a session at the console', '"wrapper.exe","4711","Console","1","84.120 K"\r\n', '1'],
    ['a remote session', '\r\n"a, b.exe","4711","RDP-Tcp#5","12","9 K"\r\n', '12'],
    ['a name of a session that is empty', '"wrapper.exe","4711","","3","84 120 K"\r\n', '3'],
    ['no such process', 'INFO: No tasks are running which match the specified criteria.\r\n', undefined],
    ['another process', '"wrapper.exe","47","Console","1","84.120 K"\r\n', undefined],
    ['something else', '"4711"\r\n"x","4711","Console","one"\r\n', undefined],
  ])('%s', (_title, output, session) => {
    expect(readTaskSessions(output, [4711]).get(4711)).toBe(session)
  })

  test('of all that are asked about, and no other', () => {
    const line = (pid: number, session: number) => `"a.exe","${pid}","Console","${session}","9 K"\r\n`
    const output = [line(1, 0), line(22, 3), line(333, 4), line(4, 1)].join('')
    expect([...readTaskSessions(output, [22, 4, 99])]).toEqual([
      [22, '3'],
      [4, '1'],
    ])
  })
})

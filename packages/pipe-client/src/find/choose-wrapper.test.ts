import { describe, expect, test } from 'vitest'
import { chooseWrapper } from './choose-wrapper.ts'

const found = (...pids: number[]) => pids.map(pid => ({ pid, address: `/tmp/pipe.${pid}` }))

/** Sessions by process id; this process has the first. */
const sessions = (own: string | undefined, of: Readonly<Record<number, string>>) => ({
  loginSessionOf: async (pid: number) => (pid === process.pid ? own : of[pid]),
})

const untouched = {
  loginSessionOf: () => Promise.reject(new Error('Nobody had to look at a session.')),
}

describe('of the wrappers that are running', () => {
  test('the only one is chosen, whatever its session', async () => {
    expect(await chooseWrapper(found(11), untouched)).toEqual({ pid: 11, address: '/tmp/pipe.11' })
  })

  test('none is an error that says so', async () => {
    await expect(chooseWrapper([], untouched)).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND' })
  })

  test.each<[string, string, number]>([
    ['a display', ':2', 12],
    ['no display', '', 13],
  ])('of a user with several sessions, that of this one is chosen: %s', async (_title, own, pid) => {
    const platform = sessions(own, { 11: ':1', 12: ':2', 13: '' })
    expect(await chooseWrapper(found(11, 12, 13), platform)).toMatchObject({ pid })
  })

  test.each<[string, string | undefined, Readonly<Record<number, string>>, number[]]>([
    ['none is of this session', ':3', { 11: ':1', 12: ':2' }, [11, 12]],
    ['several are of this session', ':1', { 11: ':1', 12: ':1', 13: ':2' }, [11, 12]],
    ['sessions cannot be told', undefined, {}, [11, 12]],
  ])('when %s, none is chosen, and they are named', async (_title, own, of, pids) => {
    const wrappers = found(...(Object.keys(of).length > 0 ? Object.keys(of).map(Number) : [11, 12]))
    await expect(chooseWrapper(wrappers, sessions(own, of))).rejects.toMatchObject({
      code: 'ERR_PIPE_AMBIGUOUS',
      pids,
    })
  })
})

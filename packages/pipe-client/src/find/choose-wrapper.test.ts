import { describe, expect, test } from 'vitest'
import { chooseWrapper, separateSessions } from './choose-wrapper.ts'

const found = (...pids: number[]) => pids.map(pid => ({ pid, address: `/tmp/pipe.${pid}` }))

const bounds = { timeoutMs: 60_000, spentMs: 0, signal: undefined }

/** Chooses among wrappers by process id → session, for a process of one session. */
async function choose(
  own: string | undefined,
  of: Readonly<Record<number, string | undefined>>,
  keptSession?: string,
) {
  const tellSessions = async (pids: readonly number[]) =>
    pids.map(pid => (pid === process.pid ? own : of[pid]))
  const wrappers = found(...Object.keys(of).map(Number))
  return chooseWrapper(await separateSessions(wrappers, tellSessions, bounds, keptSession))
}

describe('of the wrappers that are running', () => {
  test.each<[string, string | undefined, Readonly<Record<number, string | undefined>>, number]>([
    ['that of this session, of several', ':2', { 11: ':1', 12: ':2', 13: '' }, 12],
    ['that without a session, by a process without one', '', { 11: ':1', 12: ':2', 13: '' }, 13],
    ['the only one, of this session', ':1', { 11: ':1' }, 11],
    ['the only one, by a process without a session', '', { 11: ':1' }, 11],
    ['the only one, without a session', ':1', { 11: '' }, 11],
    ['that of this session, beside one whose session cannot be told', ':1', { 11: undefined, 12: ':1' }, 12],
  ])('is chosen %s', async (_title, own, of, pid) => {
    expect(await choose(own, of)).toEqual({ pid, address: `/tmp/pipe.${pid}` })
  })

  test.each<[string, string, Readonly<Record<number, string | undefined>>, number | object]>([
    ['that of the session', ':1', { 11: '', 12: ':1', 13: ':2' }, 12],
    ['that of the session, which is not this process’s', ':2', { 11: ':1', 12: ':2' }, 12],
    ['none of another session', ':1', { 11: ':2' }, { code: 'ERR_PIPE_NOT_FOUND', otherSessionPids: [11] }],
    ['none without a session', ':1', { 11: '' }, { code: 'ERR_PIPE_NOT_FOUND', otherSessionPids: [11] }],
    ['none that has a session', '', { 11: ':1' }, { code: 'ERR_PIPE_NOT_FOUND', otherSessionPids: [11] }],
    ['none that may be another', ':1', { 11: undefined }, { code: 'ERR_PIPE_AMBIGUOUS', pids: [11] }],
  ])('where a session is kept to, is chosen %s', async (_title, kept, of, expected) => {
    for (const own of ['', ':1', undefined]) {
      const chosen = await choose(own, of, kept).catch(error => error)
      expect(chosen).toMatchObject(typeof expected === 'number' ? { pid: expected } : expected)
    }
  })

  test('none is an error that says so', async () => {
    await expect(choose(':1', {})).rejects.toMatchObject({
      code: 'ERR_PIPE_NOT_FOUND',
      otherSessionPids: [],
    })
  })

  test.each([
    [':3', { 11: ':1' }, [11]],
    [':3', { 11: ':1', 12: ':2' }, [11, 12]],
  ])('those of other sessions are never chosen, and are named', async (own, of, otherSessionPids) => {
    await expect(choose(own, of)).rejects.toMatchObject({
      code: 'ERR_PIPE_NOT_FOUND',
      otherSessionPids,
      message: expect.stringContaining(otherSessionPids.join(', ')),
    })
  })

  test.each<[string, string | undefined, Readonly<Record<number, string | undefined>>, number[]]>([
    ['several are of this session', ':1', { 11: ':1', 12: ':1', 13: ':2' }, [11, 12]],
    ['sessions cannot be told', undefined, { 11: ':1', 12: ':2' }, [11, 12]],
    ['the session of this process cannot be told', undefined, { 11: ':1' }, [11]],
    ['the session of the only one cannot be told', ':1', { 11: undefined }, [11]],
    ['the session of one cannot be told', ':1', { 11: undefined, 12: ':2' }, [11]],
    ['the session of one cannot be told, beside one without', ':1', { 11: undefined, 12: '' }, [12, 11]],
    ['this process has none', '', { 11: ':1', 12: ':2' }, [11, 12]],
  ])('when %s, none is chosen, and they are named', async (_title, own, of, pids) => {
    await expect(choose(own, of)).rejects.toMatchObject({ code: 'ERR_PIPE_AMBIGUOUS', pids })
  })
})

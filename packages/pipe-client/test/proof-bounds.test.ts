import { expect, test } from 'vitest'
import { openSession } from '../src/session/open-session.ts'
import { startSessionServer } from './_session-server.ts'

test.each(['the time is over', 'the signal is aborted'])(
  'a key that cannot be read again holds nobody up when %s',
  async end => {
    await using server = await startSessionServer(() => {})
    const reason = new Error('Given up.')
    const given = new AbortController()
    const isMetBy = async () => {
      if (end === 'the signal is aborted') given.abort(reason)
      return new Promise<never>(() => undefined)
    }
    const challenge = { text: 'A'.repeat(43), isMetBy }
    const options = { maxInFlight: undefined, timeoutMs: 60_000, reconnect: false, challenge }
    // Long enough for the greeting on a busy machine.
    const timeoutMs = end === 'the time is over' ? 1_500 : 60_000
    const failed = openSession(server, options, { timeoutMs, spentMs: 0, signal: given.signal })
    if (end === 'the signal is aborted') await expect(failed).rejects.toBe(reason)
    else await expect(failed).rejects.toMatchObject({ code: 'ERR_PIPE_TIMEOUT', wasSent: false })
  },
)

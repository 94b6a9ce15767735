import { describe, expect, test } from 'vitest'
import { whileInUse } from './whole-file.ts'

/** Fails a number of times with a code, then returns the number of calls. */
function failing(times: number, code: string) {
  let asked = 0
  return async () => {
    if (asked++ < times) throw Object.assign(new Error('no'), { code })
    return asked
  }
}

describe('whileInUse', () => {
  test('retries while another program uses the file', async () => {
    expect(await whileInUse(failing(3, 'EBUSY'))).toBe(4)
    expect(await whileInUse(failing(3, 'EPERM'), { reasons: ['EPERM'] })).toBe(4)
  })

  test('gives up at once for another reason, and at the end of its time', async () => {
    const attempt = failing(1, 'EPERM')
    await expect(whileInUse(attempt)).rejects.toMatchObject({ code: 'EPERM' })
    expect(await attempt()).toBe(2)
    const busy = failing(Number.POSITIVE_INFINITY, 'EBUSY')
    await expect(whileInUse(busy, { limitMs: 20 })).rejects.toMatchObject({ code: 'EBUSY' })
  })

  test('gives up with the signal’s reason', async () => {
    const busy = failing(Number.POSITIVE_INFINITY, 'EBUSY')
    const signal = AbortSignal.abort(new Error('given up'))
    await expect(whileInUse(busy, { limitMs: 60_000, signal })).rejects.toThrow('given up')
  })
})

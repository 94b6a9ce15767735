import { describe, expect, test } from 'vitest'
import { whileInUse } from './replace-file.ts'

/** Fails so many times with a code, then answers how often it was asked. */
function failing(times: number, code: string) {
  let asked = 0
  return async () => {
    if (asked++ < times) throw Object.assign(new Error('no'), { code })
    return asked
  }
}

describe('whileInUse', () => {
  test('tries again while another program has the file', async () => {
    expect(await whileInUse(failing(3, 'EBUSY'))).toBe(4)
    expect(await whileInUse(failing(3, 'EPERM'), { reasons: ['EPERM'] })).toBe(4)
  })

  test('gives up at once for another reason, and when the time is over', async () => {
    const attempt = failing(1, 'EPERM')
    await expect(whileInUse(attempt)).rejects.toMatchObject({ code: 'EPERM' })
    expect(await attempt()).toBe(2)
    const busy = failing(Number.POSITIVE_INFINITY, 'EBUSY')
    await expect(whileInUse(busy, { limitMs: 20 })).rejects.toMatchObject({ code: 'EBUSY' })
  })

  test('gives up with the signal, for its reason', async () => {
    const busy = failing(Number.POSITIVE_INFINITY, 'EBUSY')
    const signal = AbortSignal.abort(new Error('given up'))
    await expect(whileInUse(busy, { limitMs: 60_000, signal })).rejects.toThrow('given up')
  })
})

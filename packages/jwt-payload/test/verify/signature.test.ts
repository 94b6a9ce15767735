import {
  url as audience,
  nameOfKeyFor,
  payload,
  registeredKey,
  signingKey,
} from '@service-link/test-kit/payload-vectors'
import { describe, expect, test } from 'vitest'
import { importVerificationKey, payloadAlgorithms, signPayload, verifyPayload } from '../../src/index.ts'

describe('[5.1-signed] signatures', () => {
  test.each(payloadAlgorithms)('%s: every change of a token breaks its signature', async algorithm => {
    const keys = await importVerificationKey(registeredKey(nameOfKeyFor(algorithm)))
    const token = await signPayload(
      payload,
      { ...signingKey(nameOfKeyFor(algorithm)), algorithm },
      { audience },
    )
    await expect(verifyPayload(token, { keys, audience })).resolves.toMatchObject({ algorithm })

    const [header = '', claims = '', signature = ''] = token.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const changed = [
      ...[0, bytes.length >> 1, bytes.length - 1].map(index => {
        const flipped = Buffer.from(bytes)
        flipped[index] = (flipped[index] ?? 0) ^ 1
        return flipped
      }),
      bytes.subarray(1),
      Buffer.concat([bytes, Buffer.from([0])]),
      Buffer.alloc(bytes.length),
    ].map(wrong => `${header}.${claims}.${wrong.toString('base64url')}`)
    const otherClaims = Buffer.from(JSON.stringify({ ...payload, employeeId: 'other' })).toString('base64url')
    for (const wrong of [...changed, `${header}.${otherClaims}.${signature}`])
      await expect(verifyPayload(wrong, { keys, audience })).rejects.toMatchObject({
        code: 'ERR_PAYLOAD_SIGNATURE',
      })
  })
})

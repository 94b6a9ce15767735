import { expect, test } from 'vitest'
import { checkSignedPayload, maxPayloadBytes } from './signed-payload.ts'

test.each(['eyJ0.eyJp.c2ln', 'a.b-_.c', `a.b.${'c'.repeat(maxPayloadBytes - 4)}`])(
  'a payload that begins with %.20s has the form of a signed JWT',
  payload => {
    expect(() => checkSignedPayload(payload)).not.toThrow()
  },
)

test.each<[string, string]>([
  ['nothing', ''],
  ['two parts', 'Secret.b'],
  ['four parts', 'Secret.b.c.d'],
  ['an encrypted token', 'Secret..b.c.d'],
  ['an unsigned token', 'Secret.b.'],
  ['padding', 'Secret.b.c='],
  ['the other base64', 'Secret.b+/.c'],
  ['a blank', 'Secret.b .c'],
  ['a line break at its end', 'Secret.b.c\n'],
  ['a NUL', 'Secret.b.c\0'],
  ['another script', 'Secret.b.ç'],
  ['too much', `Secret.b.${'c'.repeat(maxPayloadBytes)}`],
])('%s has not, and is not repeated', (_title, payload) => {
  expect(() => checkSignedPayload(payload)).toThrow(
    expect.objectContaining({
      code: 'ERR_PAYLOAD_MALFORMED',
      message: expect.not.stringContaining('Secret'),
    }),
  )
})

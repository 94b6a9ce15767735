import { expect, test } from 'vitest'
import { submitPayload } from './index.ts'

const url = 'https://sso.example/partner/payload'
const token = 'aa.bb.cc'

// Node has no tab: each call ends before one is opened.
test.each<[string, object, string]>([
  ['aa&#x2B;.bb.cc', {}, 'token is HTML-escaped, not a compact JWT. Give the token alone.'],
  [token, { timeout: 5 }, 'The parameter options.timeout is not known.'],
  [token, { ['k'.repeat(40)]: 5 }, 'The parameter options is not known.'],
  [token, { '03048012345': 5 }, 'The parameter options is not known.'],
  [token, { waitingText: 7 }, 'The parameter options.waitingText must be text.'],
  [token, { signal: {} }, 'The parameter options.signal must be an AbortSignal: controller.signal.'],
  [
    token,
    { timeoutMs: 0 },
    'The parameter options.timeoutMs must be a number of milliseconds from 1 to 2147483647, not 0.',
  ],
])('the token %j with the options %j is refused', async (token, options, sentence) => {
  await expect(submitPayload(url, token, options)).rejects.toThrow(sentence)
})

test.each<[string, string, object]>([
  ['javascript:alert(1)', token, {}],
  ['/partner/payload', token, {}],
  ['https:sso.example/partner/payload', token, {}],
  ['https://u:p@sso.example/partner/payload', token, {}],
  [url, 'aa.bb', {}],
  [url, 'aa.bb."><script>', {}],
  [url, token, { target: '' }],
  [url, token, { target: '_new' }],
])('a post to %s of %j with %j is refused', async (address, payload, options) => {
  await expect(submitPayload(address, payload, options)).rejects.toMatchObject({ code: 'ERR_POST_OPTION' })
})

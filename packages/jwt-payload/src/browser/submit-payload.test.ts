import { expect, test } from 'vitest'
import { submitPayload } from './index.ts'

const url = 'https://sso.example/partner/payload'

// Node has no tab: each call ends before one is opened.
test.each<[string, object, string]>([
  ['aa&#x2B;.bb.cc', {}, 'token must be a compact JWT, or its promise. It is HTML-escaped'],
  ['aa.bb.cc', { timeout: 5 }, 'The parameter options.timeout is not known.'],
  ['aa.bb.cc', { ['k'.repeat(40)]: 5 }, 'The parameter options is not known.'],
  ['aa.bb.cc', { '03048012345': 5 }, 'The parameter options is not known.'],
  ['aa.bb.cc', { waitingText: 7 }, 'The parameter options.waitingText must be text.'],
  ['aa.bb.cc', { signal: {} }, 'The parameter options.signal must be an AbortSignal.'],
  ['aa.bb.cc', { timeoutMs: '7' }, 'timeoutMs must be an integer from 1 to 2147483647.'],
])('the token %j with the options %j is refused', async (token, options, sentence) => {
  await expect(submitPayload(url, token, options)).rejects.toThrow(sentence)
})

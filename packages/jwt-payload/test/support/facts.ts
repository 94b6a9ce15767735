import type { ReceiverFacts } from '../../src/index.ts'

/** What a receiver with narrower limits than ours says of itself. */
export const facts: ReceiverFacts = {
  version: 1,
  address: 'https://sso.example/partner/payload',
  audiences: ['https://sso.example/partner/payload', 'https://sso.example/'],
  algorithms: ['ES256', 'ES512'],
  policies: ['strict'],
  limits: { formBytes: 1000, spanSeconds: 30, toleranceSeconds: 5, openSeconds: 10, logInSeconds: 60 },
  frames: { messages: 1, headers: [], sandbox: [] },
  docs: 'https://sso.example/docs',
  errors: 'https://sso.example/docs/errors',
}

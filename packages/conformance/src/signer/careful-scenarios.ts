import { NotChecked, type Scenario } from '../scenario.ts'
import { everyClaim, readOf, tokenOf } from './ask-signer.ts'
import type { SignerSubject } from './open-signer.ts'

/** Programs that run side by side. */
const atOnce = 4

/** One of 128 has a number that begins with a zero: 6 of 7 runs find who leaves it out. */
const manyTokens = 256

/** Whether an id is the present time in digits: seconds, or a finer unit. */
function isTime(id: unknown): boolean {
  if (typeof id !== 'string' || !/^\d{10,19}$/.test(id)) return false
  return Math.abs(Number(id.slice(0, 10)) - Date.now() / 1000) < 24 * 3600
}

/** What a signer does in the cases that its author may not have met. */
export const carefulScenarios: readonly Scenario<SignerSubject>[] = [
  {
    id: 'makes-each-token-new',
    spec: 'reference/partner-link',
    requirements: ['5.1-signed'],
    sentence: 'Gives each token a jti of its own, at the same moment, too.',
    async run(signer, context) {
      const reads = await Promise.all(Array.from({ length: atOnce }, () => readOf(signer, context)))
      const ids = reads.flatMap(read => (read ? [read.claims.jti] : []))
      context.checks.that(
        ids.every(id => typeof id === 'string'),
        'The claim jti is not text.',
      )
      context.checks.that(new Set(ids).size === ids.length, 'Two tokens have the same jti.')
      context.checks.that(!ids.some(isTime), 'The claim jti is the time, which two programs share.')
    },
  },
  {
    id: 'names-no-other-issuer',
    spec: '5.1',
    requirements: ['5.1-signed'],
    sentence: 'Writes no iss but the registered one.',
    async run(signer, context) {
      const read = await readOf(signer, context)
      if (!read || (read.claims.iss === undefined && !signer.isIssuerGiven)) return
      context.checks.equal('The claim iss', read.claims.iss, signer.issuer)
    },
  },
  {
    id: 'keeps-its-own-claims',
    spec: 'reference/partner-link',
    requirements: ['5.1-signed'],
    sentence: 'Lets no input take the place of aud, iat, exp and jti, or signs nothing.',
    async run(signer, context) {
      const given = { aud: 'https://other.example/', iat: 1, exp: 4_102_444_800, jti: 'given' }
      const input = { ...everyClaim, ...given }
      const { exitCode, output } = await signer.sign(JSON.stringify(input), context.signal)
      if (exitCode !== 0 && output === '') return
      const read = await readOf(signer, context, input)
      if (!read) return
      for (const name of ['aud', 'iat', 'exp', 'jti'] as const)
        context.checks.that(read.claims[name] !== given[name], `The claim ${name} is that of the input.`)
    },
  },
  {
    id: 'refuses-claims-without-contact',
    spec: '2.1',
    requirements: ['2.1-claims'],
    sentence: 'Signs nothing when the claims name neither a contact nor an end.',
    async run({ sign }, { checks, signal }) {
      const { contact, ...claims } = everyClaim
      const { exitCode, output } = await sign(JSON.stringify(claims), signal)
      checks.that(exitCode !== 0, 'The exit code is 0.')
      checks.that(output === '', 'Something was printed.')
    },
  },
  {
    id: 'keeps-zeros-of-signatures',
    spec: '5.1',
    requirements: ['5.1-signed'],
    sentence: 'Writes each ES256 signature as two numbers of 32 bytes, with their zeros.',
    timeoutMs: 300_000,
    async run(signer, context) {
      if (signer.algorithm !== 'ES256')
        throw new NotChecked('Signatures of other algorithms have one number.', 'not-applicable')
      for (let count = 0; count < manyTokens; count += atOnce) {
        const tokens = await Promise.all(Array.from({ length: atOnce }, () => tokenOf(signer, context)))
        for (const token of tokens) {
          const { length } = Buffer.from(token?.split('.')[2] ?? '', 'base64url')
          context.checks.that(!token || length === 64, `A signature has ${length} bytes, not 64.`)
        }
        if (context.checks.faults.length > 0) return
      }
    },
  },
]

import { verifyPayload } from '@service-link/jwt-payload'
import type { JsonObject } from '@service-link/jwt-payload/steps'
import type { Checks } from '../checks.ts'
import type { Role, Scenario } from '../scenario.ts'
import { writeToken } from '../tokens/write-token.ts'
import { everyClaim, readOf, tokenOf } from './ask-signer.ts'
import { carefulScenarios } from './careful-scenarios.ts'
import { openSigner, type SignerSubject, type SignerTarget } from './open-signer.ts'

type SignerScenario = Scenario<SignerSubject>

const timeCodes = new Set(['ERR_PAYLOAD_TIMES', 'ERR_PAYLOAD_EXPIRED', 'ERR_PAYLOAD_NOT_YET_VALID'])

function checkEach(checks: Checks, found: JsonObject, expected: JsonObject): void {
  for (const [name, value] of Object.entries(expected)) checks.equal(`The claim ${name}`, found[name], value)
}

const scenarios: readonly SignerScenario[] = [
  {
    id: 'verifies',
    spec: '5.1',
    requirements: ['5.1-signed'],
    sentence: 'Signs so that a receiver with the strict policy takes the token.',
    async run(signer, context) {
      const token = await tokenOf(signer, context)
      if (token === undefined) return
      const { keys, audience } = signer
      await verifyPayload(token, { keys, audience, signal: context.signal })
    },
  },
  {
    id: 'keeps-the-claims',
    spec: '2.1',
    requirements: ['2.1-claims', '2.1-contact'],
    sentence: 'Puts each claim at the top level of the token, as it was given.',
    async run(signer, context) {
      const read = await readOf(signer, context)
      if (read) checkEach(context.checks, read.claims, everyClaim)
    },
  },
  {
    id: 'names-its-key',
    spec: 'reference/partner-link',
    requirements: ['5.1-signed'],
    sentence: 'Names algorithm and key in the header, as they are registered.',
    async run(signer, context) {
      const read = await readOf(signer, context)
      if (!read) return
      context.checks.equal('The header alg', read.header.alg, signer.algorithm)
      context.checks.equal('The header kid', read.header.kid, signer.kid)
    },
  },
  {
    id: 'names-the-receiver',
    spec: 'reference/partner-link',
    requirements: ['5.1-signed'],
    sentence: 'Writes the address of the receiver into aud, letter by letter.',
    async run(signer, context) {
      const read = await readOf(signer, context)
      if (read) context.checks.equal('The claim aud', read.claims.aud, signer.audience)
    },
  },
  {
    id: 'lives-shortly',
    spec: 'reference/partner-link',
    requirements: ['5.1-signed'],
    sentence: 'Writes the present time into iat, and an exp of at most 300 seconds later.',
    async run(signer, context) {
      const read = await readOf(signer, context)
      if (!read) return
      // Signed anew, so that a wrong signature does not hide wrong times.
      const token = await writeToken(signer.key, { ...read.claims, aud: signer.audience })
      const { keys, audience } = signer
      await verifyPayload(token, { keys, audience, signal: context.signal }).catch(error => {
        if (timeCodes.has(error.code)) context.checks.fail(error.message)
      })
    },
  },
  {
    id: 'tells-no-secret',
    spec: 'errors/',
    requirements: ['5.1-signed'],
    sentence: 'Prints nothing of the key, and nothing of the claims beside the token.',
    async run({ sign, secret }, { checks, signal }) {
      const { output, errors } = await sign(JSON.stringify(everyClaim), signal)
      const told = output + errors
      const secrets = secret.split('\n').filter(line => line.length > 20 && !line.startsWith('-----'))
      checks.that(!secrets.some(line => told.includes(line)), 'The output has a part of the key.')
      checks.that(!errors.includes(everyClaim.contact.ssn), 'Standard error has a claim.')
    },
  },
  {
    id: 'refuses-no-claims',
    spec: '2.1',
    requirements: ['2.1-claims'],
    sentence: 'Signs nothing when its input is not JSON: it fails without output.',
    async run({ sign }, { checks, signal }) {
      const { exitCode, output } = await sign('{"organizationId":', signal)
      checks.that(exitCode !== 0, 'The exit code is 0.')
      checks.that(output === '', 'Something was printed.')
    },
  },
  ...carefulScenarios,
]

/** A program of a partner that signs payloads. */
export const signerRole: Role<SignerTarget, SignerSubject> = {
  name: 'signer',
  scenarios,
  describe: ({ program }) => program.join(' '),
  open: openSigner,
}

import { verifyPayload } from '@service-link/jwt-payload'
import { type JsonObject, readToken } from '@service-link/jwt-payload/steps'
import type { Checks } from '../checks.ts'
import { tellErrors } from '../programs/tell-errors.ts'
import type { Role, Scenario, ScenarioContext } from '../scenario.ts'
import { writeToken } from '../tokens/write-token.ts'
import { openSigner, type SignerSubject, type SignerTarget } from './open-signer.ts'

type SignerScenario = Scenario<SignerSubject>

/** Every claim of spec 2.1, with characters of every UTF-8 length. */
const everyClaim = {
  organizationId: 'org-1',
  organizationName: 'Clinic "Æ" \\ Ødegård',
  employeeId: 'emp-7',
  employeeUsername: 'kari',
  employeeFirstname: 'Kåre 漢字',
  employeeLastname: 'Ødegård 😀',
  employeeEmail: 'kari@example.org',
  contact: {
    id: '4711-å',
    birthdate: '1980-01-01',
    ssn: '01018012345',
    gender: 'male',
    firstname: 'Ola',
    middlename: '',
    lastname: 'Nordmann',
    mobile: '+47 900 00 000',
    email: 'ola@example.org',
    diagnosis: 'L86',
  },
}

const timeCodes = new Set(['ERR_PAYLOAD_TIMES', 'ERR_PAYLOAD_EXPIRED', 'ERR_PAYLOAD_NOT_YET_VALID'])

/** Runs the program with the usual claims. */
async function tokenOf(
  signer: SignerSubject,
  { checks, signal }: ScenarioContext,
): Promise<string | undefined> {
  const { exitCode, output, errors } = await signer.sign(JSON.stringify(everyClaim), signal)
  checks.that(exitCode === 0, `The exit code: ${exitCode}, not 0.${tellErrors({ errors })}`)
  const token = output.trim()
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
    ? token
    : void checks.fail('The output is not one signed JWT alone.')
}

interface Read {
  readonly header: JsonObject
  readonly claims: JsonObject
}

async function readOf(signer: SignerSubject, context: ScenarioContext): Promise<Read | undefined> {
  const token = await tokenOf(signer, context)
  if (token === undefined) return undefined
  return context.checks.message('The token', () => {
    const { header, claims } = readToken(token)
    return { header, claims: claims() }
  })
}

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
    spec: 'design 10',
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
    spec: 'design 10',
    requirements: ['5.1-signed'],
    sentence: 'Writes the address of the receiver into aud, letter by letter.',
    async run(signer, context) {
      const read = await readOf(signer, context)
      if (read) context.checks.equal('The claim aud', read.claims.aud, signer.audience)
    },
  },
  {
    id: 'lives-shortly',
    spec: 'design 10',
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
    id: 'makes-each-token-new',
    spec: 'design 10',
    requirements: ['5.1-signed'],
    sentence: 'Gives each token a jti of its own.',
    async run(signer, context) {
      const [one, other] = [await readOf(signer, context), await readOf(signer, context)]
      if (!one || !other) return
      context.checks.that(typeof one.claims.jti === 'string', 'The claim jti is not text.')
      context.checks.that(one.claims.jti !== other.claims.jti, 'Two tokens have the same jti.')
    },
  },
  {
    id: 'tells-no-secret',
    spec: 'design 11',
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
]

/** A program of a partner that signs payloads. */
export const signerRole: Role<SignerTarget, SignerSubject> = {
  name: 'signer',
  scenarios,
  describe: ({ program }) => program.join(' '),
  open: openSigner,
}

import { type JsonObject, readToken } from '@service-link/jwt-payload/steps'
import { tellErrors } from '../programs/tell-errors.ts'
import type { ScenarioContext } from '../scenario.ts'
import type { SignerSubject } from './open-signer.ts'

/** Every claim of spec 2.1, with characters of every UTF-8 length. */
export const everyClaim = {
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

/** Runs the program, with the usual claims if there are no others. */
export async function tokenOf(
  signer: SignerSubject,
  { checks, signal }: ScenarioContext,
  claims: object = everyClaim,
): Promise<string | undefined> {
  const { exitCode, output, errors } = await signer.sign(JSON.stringify(claims), signal)
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

export async function readOf(
  signer: SignerSubject,
  context: ScenarioContext,
  claims: object = everyClaim,
): Promise<Read | undefined> {
  const token = await tokenOf(signer, context, claims)
  if (token === undefined) return undefined
  return context.checks.message('The token', () => {
    const { header, claims } = readToken(token)
    return { header, claims: claims() }
  })
}

import type { PayloadInput } from '@service-link/protocol-core'
import { z } from 'zod'
import { maxTokenBytes } from '../../verify/read-token.ts'
import { FileError, UsageError } from '../cli-errors.ts'
import type { Terminal } from '../terminal.ts'
import { readText } from './read-text.ts'

/** Where claims are. */
export interface ClaimsPlace {
  /** Path of a JSON file, or `-` for standard input. */
  readonly claims: string | undefined
  readonly organization: string | undefined
  readonly employee: string | undefined
  readonly contact: string | undefined
}

/** Any object: what its members must be is checked when it is signed, by the receiver's own rules. */
const claimsSchema = z.custom<PayloadInput>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
)

/**
 * Takes the claims: the three required ones from the command line, or all of them as JSON.
 *
 * @throws {UsageError} when some of the three are missing, or both are given
 * @throws {FileError} when they cannot be read, or are no JSON object
 */
export async function takeClaims(place: ClaimsPlace, terminal: Terminal): Promise<PayloadInput> {
  const { claims, organization, employee, contact } = place
  if (organization === undefined && employee === undefined && contact === undefined)
    return parseClaims(
      await readText({ path: claims ?? '-', what: 'the claims as JSON', maxBytes: maxTokenBytes }, terminal),
    )
  if (claims !== undefined)
    throw new UsageError('Give --claims, or --organization, --employee and --contact, and not both.')
  if (organization === undefined || employee === undefined || contact === undefined)
    throw new UsageError('--organization, --employee and --contact are needed all three.')
  return { organizationId: organization, employeeId: employee, contact: { id: contact } }
}

function parseClaims(text: string): PayloadInput {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FileError('The claims are not JSON.')
  }
  const parsed = claimsSchema.safeParse(value)
  if (!parsed.success)
    throw new FileError(
      'The claims are not a JSON object, such as {"organizationId": "…", "employeeId": "…", "contact": {"id": "…"}}.',
    )
  return parsed.data
}

import { normalizeIdentityNumber } from '@service-link/jwt-payload/receiver'
import type { PersonChanges } from '../database/tables.ts'

/**
 * The identity number by which the consumer app finds a contact (specification 2.1, 5.1.5): its `ssn`, and nothing else. An
 * identifier that only looks like a number may be somebody else's number, and would show them this contact's workouts; where
 * a partner's identifiers are identity numbers its registration says so, and they come as `ssn`.
 */
export function identityKeyOf({ ssn }: PersonChanges): string | null {
  return ssn ? (normalizeIdentityNumber(ssn) ?? null) : null
}

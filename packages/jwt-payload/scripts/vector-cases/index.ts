import { accepted } from './accepted.ts'
import { refusedClaims } from './refused-claims.ts'
import { refusedForm } from './refused-form.ts'
import { refusedKey } from './refused-key.ts'
import { refusedRegistration } from './refused-registration.ts'
import { refusedSignature } from './refused-signature.ts'
import { refusedTimes } from './refused-times.ts'
import type { VectorCase } from './vector-case.ts'

export const vectorCases: readonly VectorCase[] = [
  ...accepted,
  ...refusedForm,
  ...refusedKey,
  ...refusedSignature,
  ...refusedTimes,
  ...refusedClaims,
  ...refusedRegistration,
]

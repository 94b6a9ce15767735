import { readBy } from '@service-link/protocol-core/person'
import * as z from 'zod/mini'
import type { ExplainPayloadOptions } from '../explain/explain-payload.ts'
import { parseJson } from '../http/page-text.ts'
import { formatOf } from '../keys/foreign-keys.ts'
import { isJwk } from '../keys/jwk.ts'
import { readKeyContent } from '../keys/key-content.ts'
import type { VerificationKeySource } from '../keys/verification-key.ts'
import { keysSchema, partnerRegistrationSchema } from './partner-registration.ts'

/** The content of a key's file by its form. */
export type KeyFile<Content = string | Uint8Array> =
  | { readonly form: 'json'; readonly value: unknown }
  /** PEM, DER, or another format of keys: the import names it. */
  | { readonly form: 'key'; readonly pem: Content; readonly labels: readonly string[] }
  /** The base64url text of a shared secret. */
  | { readonly form: 'text'; readonly text: string }

/** Reads the content of a key's file. Its first characters decide its form; `undefined` for text that only begins like JSON. */
export function readKeyForm<Content extends string | Uint8Array>(pem: Content): KeyFile<Content> | undefined {
  const content = readKeyContent(pem)
  const text = content.text.trim()
  // JSON first: a registration contains PEM.
  if (!/^[{[]/.test(text)) {
    const { format, problem } = formatOf(content)
    if (content.form === 'text' && !format && !problem) return { form: 'text', text }
    return { form: 'key', pem, labels: content.blocks.map(({ label }) => label) }
  }
  const value = parseJson(text)
  return value === undefined ? undefined : { form: 'json', value }
}

const { issuer, policy, isActive, repeatable } = partnerRegistrationSchema.shape
const registrationSchema = z.looseObject({ issuer, policy, isActive, repeatable, keys: keysSchema })

/** The part of a registration that decides on a token. */
export type Registration = z.output<typeof registrationSchema>

/** Keys that are registered. */
export interface RegisteredKeys {
  readonly sources: readonly VerificationKeySource[]
  /** Undefined where the content is no registration. */
  readonly terms?: Registration | undefined
  readonly problem?: undefined
}

/** Reads what is registered: a certificate, a public key, a JSON Web Key, a shared secret or a registration. */
export function readRegisteredKeys(file: KeyFile): RegisteredKeys | { readonly problem: string } {
  if (file.form === 'text') return { sources: [{ kind: 'secret', secret: file.text }] }
  // The import as a public key explains other blocks.
  if (file.form === 'key')
    return { sources: [{ kind: file.labels.includes('CERTIFICATE') ? 'x509' : 'spki', pem: file.pem }] }
  if (isJwk(file.value)) return { sources: [{ kind: 'jwk', jwk: file.value }] }
  // `keygen` writes a list with one registration.
  const [registration, ...others] = [file.value].flat()
  const keys = [Object(registration).keys ?? []].flat()
  if (others.length > 0 || keys.length === 0 || keys.some(isJwk))
    return {
      problem: 'is JSON, but neither a JSON Web Key nor a registration. Give a key set by its address.',
    }
  const { value: terms, issues } = readBy(registrationSchema, registration)
  if (!issues) return { sources: terms.keys, terms }
  const problems = issues.map(({ path, problem }) => `${path} ${problem}`)
  return { problem: `has a registration that is not acceptable: ${problems.join('; ')}.` }
}

/** The terms for `explainPayload`. Without a registration an end is taken: nothing says that it is not allowed. */
export function explainedTerms(
  terms: Registration | undefined,
): Pick<ExplainPayloadOptions, 'issuer' | 'policy' | 'registration'> & { readonly ends: boolean } {
  if (!terms) return { ends: true }
  const { issuer, policy, isActive, repeatable } = terms
  return { issuer, policy, ends: terms.ends === true, registration: { isActive, repeatable } }
}

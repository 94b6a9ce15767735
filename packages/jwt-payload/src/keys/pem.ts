import { KeyImportError } from './key-errors.ts'

/** What people hold instead of the block that is needed, and what to do. */
const hints: Readonly<Record<string, string>> = {
  'RSA PRIVATE KEY': 'it is PKCS#1; convert it with: openssl pkcs8 -topk8 -nocrypt',
  'EC PRIVATE KEY': 'it is SEC1; convert it with: openssl pkcs8 -topk8 -nocrypt',
  'ENCRYPTED PRIVATE KEY': 'it is encrypted; decrypt it with: openssl pkcs8 -topk8 -nocrypt',
  'RSA PUBLIC KEY': 'it is PKCS#1; convert it with: openssl rsa -RSAPublicKey_in -pubout',
  'PUBLIC KEY': 'it is a public key; another kind is needed here',
  CERTIFICATE: 'it is a certificate; another kind is needed here',
  'OPENSSH PRIVATE KEY': 'it is an SSH key; make a key with: openssl genpkey',
}

/**
 * Takes the first PEM block of a label out of a text.
 *
 * @returns its bytes, DER
 * @throws {KeyImportError} when there is no such block, naming what is there instead
 */
export function decodePem(text: string, label: string, kind: string): Uint8Array<ArrayBuffer> {
  const block = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`).exec(text)
  const base64 = block?.[1]
  if (base64 === undefined) {
    const found = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1] ?? ''
    const hint = found === label ? undefined : hints[found]
    throw new KeyImportError(kind, hint ?? `it needs a PEM block, -----BEGIN ${label}-----`)
  }
  try {
    return Uint8Array.from(atob(base64.replace(/\s/g, '')), character => character.charCodeAt(0))
  } catch {
    throw new KeyImportError(kind, 'its PEM block is not base64')
  }
}

/** Writes one PEM block. */
export function encodePem(der: Uint8Array, label: string): string {
  const base64 = btoa(Array.from(der, byte => String.fromCharCode(byte)).join(''))
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

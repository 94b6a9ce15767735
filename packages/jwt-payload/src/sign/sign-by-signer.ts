import { waitFor } from '@service-link/protocol-core/time'
import * as base64url from 'jose/base64url'
import { KeyImportError } from '../errors/key-errors.ts'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import { signatureBytes, signatureFromDer } from '../verify/signature-form.ts'

/** A signer of your own, for a key that never leaves its place: a key vault, a smart card, the certificate store of Windows. */
export interface PayloadSigner {
  readonly kind: 'signer'
  readonly algorithm: PayloadAlgorithm
  /** Put into the token's header. Without it the payloads need `issuer`. */
  readonly kid?: string | undefined
  /**
   * Signs bytes, not their digest. Resolves to the signature as a JWS has it: for ECDSA the two numbers one after the other
   * (IEEE P1363), not DER. What it throws is thrown on as it is.
   *
   * @param options the `signal` of `signPayload`, to end a request
   */
  sign(
    bytes: Uint8Array<ArrayBuffer>,
    options: { readonly signal: AbortSignal | undefined },
  ): Uint8Array | Promise<Uint8Array>
}

/** Writes a compact JWS whose signature another one makes: jose signs with keys alone. */
export async function signBySigner(
  signer: PayloadSigner,
  header: Readonly<Record<string, string>>,
  content: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<string> {
  const input = `${base64url.encode(JSON.stringify(header))}.${base64url.encode(content)}`
  const signing = async () => signer.sign(new TextEncoder().encode(input), { signal })
  const signature: unknown = await waitFor(signing(), signal)
  return `${input}.${base64url.encode(checkedSignature(signature, signer.algorithm))}`
}

/** Shortest and longest RSA signature: those of keys with 2,048 and 8,192 bits. */
const minRsaBytes = 256
const maxRsaBytes = 1024

function checkedSignature(signature: unknown, algorithm: PayloadAlgorithm): Uint8Array {
  if (!isBytes(signature)) throw wrong('something that is no Uint8Array')
  const { length } = signature
  const size = signatureBytes(algorithm)
  if (size === length || (!size && length >= minRsaBytes && length <= maxRsaBytes)) return signature
  if (signatureFromDer(signature, algorithm))
    throw wrong(
      `an ECDSA signature in DER; a JWS has the two numbers one after the other, ${size} bytes (IEEE P1363)`,
    )
  throw wrong(
    `${length} bytes; a signature of ${algorithm} has ${size ?? `${minRsaBytes} to ${maxRsaBytes}`}`,
  )
}

function wrong(what: string): KeyImportError {
  return new KeyImportError('signer', `it has returned ${what}`)
}

/** `instanceof` fails across realms. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Reflect.get(value, 'BYTES_PER_ELEMENT') === 1
}

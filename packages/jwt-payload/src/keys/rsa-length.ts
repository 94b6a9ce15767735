import { KeyImportError } from './key-errors.ts'

/** Shortest RSA key, in bits. */
export const minRsaBits = 2048

/** @throws {KeyImportError} when an RSA key is shorter than {@link minRsaBits} */
export function assertRsaLength(key: CryptoKey, kind: string): void {
  const bits = 'modulusLength' in key.algorithm ? Number(key.algorithm.modulusLength) : 0
  if (bits < minRsaBits)
    throw new KeyImportError(kind, `its RSA modulus has ${bits} bits and needs at least ${minRsaBits}`)
}

import { KeyImportError } from '../errors/key-errors.ts'

/** One element of DER (X.690): its content lies from `start` to `end`. */
interface Element {
  readonly tag: number
  readonly start: number
  readonly end: number
}

/**
 * Reads when a certificate is valid (RFC 5280, 4.1.2.5), from its DER. Only for runtimes that read no certificates: browsers, where
 * `explainPayload` runs, and edge runtimes. On Node `X509Certificate` tells it.
 */
export function readValidity(der: Uint8Array): { readonly notBefore: Date; readonly notAfter: Date } {
  const certificate = readElement(der, 0)
  let field = readElement(der, readElement(der, certificate.start).start)
  // Certificates of version 1 have no version [0].
  if (field.tag === 0xa0) field = readElement(der, field.end)
  // Serial number, algorithm and issuer go before it.
  for (let skipped = 0; skipped < 3; skipped++) field = readElement(der, field.end)
  const from = readElement(der, field.start)
  return { notBefore: readTime(der, from), notAfter: readTime(der, readElement(der, from.end)) }
}

function readElement(der: Uint8Array, at: number): Element {
  const [tag = 0, first = 0] = der.subarray(at, at + 2)
  let start = at + 2
  let length = first
  if (first >= 0x80) {
    length = 0
    for (const end = start + (first & 0x7f); start < end; start++) length = length * 256 + (der[start] ?? 0)
  }
  if (start + length > der.length) throw new KeyImportError('x509', 'its DER is cut off or damaged')
  return { tag, start, end: start + length }
}

/** UTCTime has two digits for the year, 1950 to 2049; GeneralizedTime four. */
function readTime(der: Uint8Array, { tag, start, end }: Element): Date {
  const text = new TextDecoder('latin1').decode(der.subarray(start, end))
  const century = tag === 0x17 ? (text < '5' ? '20' : '19') : ''
  const time = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + text)
  if (!time || !(tag === 0x17 || tag === 0x18))
    throw new KeyImportError('x509', 'its validity is not written as RFC 5280 requires')
  const [, year, month, day, hour, minute, second] = time
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

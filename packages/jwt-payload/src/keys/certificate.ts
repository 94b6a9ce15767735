/** What of an X.509 certificate counts here: which one it is, and when it is valid. */
export interface Certificate {
  /** SHA-256 over the certificate, upper-case hexadecimal: `openssl x509 -fingerprint -sha256` without the colons. */
  readonly thumbprint: string
  /** SHA-1 over the certificate, upper-case hexadecimal: what Windows and .NET call its thumbprint. Names it, secures nothing. */
  readonly thumbprintSha1: string
  readonly notBefore: Date
  readonly notAfter: Date
}

/** Whether a certificate is valid at a time, as a sentence that names it by its thumbprints. */
export function describeValidity(certificate: Certificate, now: Date): string {
  const { notBefore, notAfter } = certificate
  const state = now < notBefore ? `is not valid before ${iso(notBefore)}` : `expired at ${iso(notAfter)}`
  return `The ${nameCertificate(certificate)} ${state}.`
}

/** Names a certificate by its thumbprints, in words. */
export function nameCertificate({ thumbprint, thumbprintSha1 }: Certificate): string {
  return `certificate with SHA-256 thumbprint ${thumbprint} (SHA-1 ${thumbprintSha1})`
}

/** Whether `now` lies in the certificate's validity. */
export function isInValidity({ notBefore, notAfter }: Certificate, now: Date): boolean {
  return now >= notBefore && now <= notAfter
}

function iso(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}

/** Only what {@link Certificate} has, of a value that has more. */
export function certificateFacts({
  thumbprint,
  thumbprintSha1,
  notBefore,
  notAfter,
}: Certificate): Certificate {
  return { thumbprint, thumbprintSha1, notBefore, notAfter }
}

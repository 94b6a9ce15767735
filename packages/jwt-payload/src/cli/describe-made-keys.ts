import { paint, type Terminal } from '@service-link/command-line'
import type { Certificate } from '../errors/key-errors.ts'

/** What `keygen` has made. */
export interface MadeKeys {
  readonly algorithm: string
  readonly keyId: string
  /** Undefined for a shared secret. */
  readonly certificate: Certificate | undefined
  /** Paths of the files: what stays, and the others, in the order in which they are shown. */
  readonly privateFile: string
  readonly publicFiles: readonly string[]
}

/** Says what was made, what to send, and what must never leave. */
export function describeMadeKeys(made: MadeKeys, terminal: Pick<Terminal, 'hasColor'>): string {
  const bold = (text: string) => paint(terminal, 'bold', text)
  const red = (text: string) => paint(terminal, 'red', text)
  const { algorithm, keyId, certificate, privateFile, publicFiles } = made
  const sign = `service-payload sign --key ${quoteArgument(privateFile)}${certificate ? algorithmOption(algorithm) : ` --kid ${keyId}`} --audience <address of the receiver>`
  if (!certificate)
    return `${bold(`A shared secret for ${algorithm}, kid ${keyId}.`)}

  ${privateFile}
      ${red('keep it')} where only your server can read it
${publicFiles.map(file => `  ${file}`).join('\n')}
      for the service. ${red('The secret is in it')}: hand it over encrypted or in person, never by plain mail,
      and delete this copy afterwards. Whoever has it can sign as you.

Sign with
  ${sign}
`
  const [certificateFile, registrationFile] = publicFiles
  return `${bold(`A key pair for ${algorithm} with its certificate.`)}

  ${certificateFile}
      ${paint(terminal, 'green', 'mail')} this one to the service
  ${registrationFile}
      for your own tries, with verify and explain. Do not mail it: the service writes its own
  ${privateFile}
      ${red('never leaves')} your server: no mail, no repository, no ticket. Whoever has it can sign as you.

Read these to the service by telephone, so that it knows that the certificate came unchanged:
  SHA-256  ${withColons(certificate.thumbprint)}
  SHA-1    ${withColons(certificate.thumbprintSha1)}
  kid      ${keyId}
  valid    ${day(certificate.notBefore)} to ${day(certificate.notAfter)}

Sign with
  ${sign}
`
}

/** An RSA key signs with RS256 unless told otherwise. */
function algorithmOption(algorithm: string): string {
  return algorithm === 'PS256' ? ' --algorithm PS256' : ''
}

function withColons(thumbprint: string): string {
  return thumbprint.replace(/(..)(?=.)/g, '$1:')
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/**
 * A path as one argument of a command line that a person pastes: for a shell of POSIX, or for the shells of Windows.
 *
 * @param platform default: this machine's
 */
export function quoteArgument(path: string, platform: string = process.platform): string {
  if (platform === 'win32') return /^[\w.:/\\-]+$/.test(path) ? path : `"${path}"`
  return /^[\w.:/-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

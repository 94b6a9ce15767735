import { aliasOfKeystore } from './java-keystore.ts'
import { hex, type KeyBlock, type KeyContent } from './key-content.ts'

/** What a file is that has no wanted key, as far as that can be told. */
interface KeyFormat {
  readonly format: string | undefined
  /** Name of the entry that is meant, for a keystore of Java where one is. */
  readonly alias?: string | undefined
  /** Why it cannot be read, as a clause. */
  readonly problem?: string | undefined
}

const lineBreakProblem =
  "its line breaks are the two characters \\n, as some environment files write them; give it as pem.replaceAll('\\\\n', '\\n')"

/** Names the format of a file, for a hint. */
export function formatOf({ blocks, text, bytes }: KeyContent): KeyFormat {
  if (bytes) return formatOfBinary(bytes)
  const problem = /-----\\[nr]/.test(text) ? lineBreakProblem : undefined
  if (blocks.length > 0) return { format: formatOfBlocks(blocks), problem }
  const format = textFormats.find(([, pattern]) => pattern.test(text))?.[0]
  const misspelled = format === undefined ? findMisspelledLine(text) : undefined
  const cutOff = text.includes('-----BEGIN ')
    ? 'its PEM block is cut off: it has no -----END line'
    : undefined
  return { format, problem: problem ?? misspelled ?? cutOff }
}

function formatOfBinary(bytes: Uint8Array): KeyFormat {
  if (!/^(feedfeed|cececece)/.test(hex(bytes.subarray(0, 4))))
    return { format: undefined, problem: 'it is neither PEM, nor DER of a key or certificate' }
  const alias = aliasOfKeystore(bytes)
  return { format: alias === undefined ? 'JKS unnamed' : 'JKS', alias }
}

/** Tells how the lines of a PEM block must be written, if one has other hyphens, blanks or small letters. */
function findMisspelledLine(text: string): string | undefined {
  const lines = text.matchAll(
    /^[^\w\n]{0,40}\p{Pd}[^\w\n]{0,40}((?:BEGIN|END) ([A-Z0-9 ]{0,40}(?:KEY|CERTIFICATE|REQUEST|PARAMETERS|CRL|PKCS7)))\b/gimu,
  )
  for (const { 0: line, 1: words, 2: label = '', index } of lines) {
    const name = label.toUpperCase()
    const isRight = line.trimStart() === `-----${words?.toUpperCase()}`
    if (!isRight || !text.startsWith('-----', index + line.length))
      return `the lines of its PEM block must have exactly five hyphens on each side, -----BEGIN ${name}----- and -----END ${name}-----`
  }
  return undefined
}

/** The most telling block: a private key, else the first that is more than parameters. */
function formatOfBlocks(blocks: readonly KeyBlock[]): string | undefined {
  const telling =
    blocks.find(({ label }) => label.endsWith('PRIVATE KEY')) ??
    blocks.find(({ label }) => !label.endsWith('PARAMETERS'))
  if (!telling) return blocks.length > 0 ? 'PARAMETERS' : undefined
  const { label, der } = telling
  if (label.startsWith('PGP ')) return 'PGP'
  const variant = variants.find(each => each.label === label && der && each.mark.test(hex(der)))
  return variant ? `${label} ${variant.name}` : label
}

/** Algorithms that OpenSSL 3 has in its legacy provider alone: RC2, RC4, DES, and what PKCS#5 derives with MD2 or MD5. */
const oldCiphers = /2a864886f70d01(?:0c010[1256]|050[1346ab])|2a864886f70d030[24]|2b0e030207/

/** Formats that another command converts. The mark is the name of an algorithm, in hexadecimal. */
const variants = [
  {
    label: 'OPENSSH PRIVATE KEY',
    name: 'ssh-ed25519',
    mark: RegExp(hex(new TextEncoder().encode('ssh-ed25519'))),
  },
  // The object identifier of a prime field.
  { label: 'EC PRIVATE KEY', name: 'explicit', mark: /2a8648ce3d0101/ },
  { label: 'PKCS12', name: 'legacy', mark: oldCiphers },
  { label: 'ENCRYPTED PRIVATE KEY', name: 'legacy', mark: oldCiphers },
] as const

/** Formats of text without PEM blocks. The first that fits counts. */
const textFormats: readonly (readonly [format: string, pattern: RegExp])[] = [
  // The type stands also within the base64.
  ['SSH2 PUBLIC KEY ssh-ed25519', /^(?=.*---- BEGIN SSH2 PUBLIC KEY ----).*\nAAAAC3NzaC1lZDI1NTE5/s],
  ['SSH2 PUBLIC KEY', /^(?=.*---- BEGIN SSH2 PUBLIC KEY ----).*\nAAAA(?:B3NzaC1yc2E|E2VjZHNhLXNoYTIt)/s],
  ['ssh-ed25519', /(?:^|\s)ssh-ed25519 AAAA/],
  ['ssh-rsa', /^\s*ssh-rsa AAAA/m],
  ['ecdsa-sha2', /^\s*ecdsa-sha2-nistp\d+ AAAA/m],
  ['ssh behind options', /[ \t](?:ssh-rsa|ecdsa-sha2-nistp\d+) AAAA/],
  ['ssh of another type', /(?:^|\s)(?:ssh-|sk-|ecdsa-)[\w@.-]{1,60} AAAA|---- BEGIN SSH2 /],
  ['PUTTY', /^\s*PuTTY-User-Key-File-\d/],
  ['RSAKeyValue private', /^(?=.*<RSAKeyValue[\s>]).*<(?:D|P|Q|DP|DQ|InverseQ)>\s*[^<\s]/s],
  ['RSAKeyValue', /<RSAKeyValue[\s>]/],
  ['PGP', /-----BEGIN PGP /],
]

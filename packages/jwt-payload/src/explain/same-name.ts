/** Longer than any name of a key, in characters: what is behind is not compared. */
const maxCompared = 200

/** What tools write before a thumbprint, such as `SHA256 Fingerprint=`, without white space. */
const label = /^(sha-?(1|256))?(fingerprint|thumbprint)?$/i

/**
 * Whether two names of keys are one in another spelling: hexadecimal in any case, with or without colons, and either alphabet of
 * base64. Work is bounded, however long they are.
 */
export function isSameName(one: string, other: string): boolean {
  return fold(one.slice(0, maxCompared)) === fold(other.slice(0, maxCompared))
}

function fold(name: string): string {
  const bare = withoutLabel(name)
  const hex = bare.replace(/[:\s\u200e-]/g, '').toUpperCase()
  if (/^([\dA-F]{40}|[\dA-F]{64})$/.test(hex)) return hex
  return withoutEnd(bare.trim().replaceAll('+', '-').replaceAll('/', '_'), '=').toLowerCase()
}

function withoutLabel(name: string): string {
  const sign = name.indexOf('=')
  return sign >= 0 && label.test(name.slice(0, sign).replace(/\s/g, '')) ? name.slice(sign + 1) : name
}

/** Takes every such character off the end. A loop: a regular expression would try each place where one stands. */
export function withoutEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

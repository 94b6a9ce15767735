import { KeyImportError } from '../errors/key-errors.ts'

/** Tags of the DER elements that are read here. */
export const derTags = {
  integer: 0x02,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  context0: 0xa0,
} as const

/** The place of one element in its bytes. */
export interface DerElement {
  readonly tag: number
  readonly start: number
  readonly contentStart: number
  readonly end: number
}

/** Reads the header of one DER element (X.690); enough to walk a certificate, a public or a private key. */
export function readElement(bytes: Uint8Array, start: number, end: number = bytes.length): DerElement {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined) throw cutOff()
  let length = first
  let contentStart = start + 2
  if (first >= 0x80) {
    const lengthBytes = first & 0x7f
    if (lengthBytes < 1 || lengthBytes > 3 || contentStart + lengthBytes > end) throw cutOff()
    length = 0
    for (const byte of bytes.subarray(contentStart, contentStart + lengthBytes)) length = length * 256 + byte
    contentStart += lengthBytes
  }
  if (contentStart + length > end) throw cutOff()
  return { tag, start, contentStart, end: contentStart + length }
}

/** Reads the elements of a constructed element. */
export function childrenOf(bytes: Uint8Array, parent: DerElement): DerElement[] {
  const children: DerElement[] = []
  for (let offset = parent.contentStart; offset < parent.end; ) {
    const child = readElement(bytes, offset, parent.end)
    children.push(child)
    offset = child.end
  }
  return children
}

export function expectElement(element: DerElement | undefined, tag: number, what: string): DerElement {
  if (element?.tag !== tag) throw new KeyImportError('', `its DER has no ${what} where one is needed`)
  return element
}

function cutOff(): KeyImportError {
  return new KeyImportError('', 'its DER is cut off or damaged')
}

/** Writes bytes in lower-case hexadecimal. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

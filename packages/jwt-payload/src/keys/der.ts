import { KeyImportError } from './key-errors.ts'

/** Tags of the few DER elements that keys and certificates are found by. */
export const derTags = {
  integer: 0x02,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  context0: 0xa0,
} as const

/** Where one element lies in its bytes. */
export interface DerElement {
  readonly tag: number
  readonly start: number
  readonly contentStart: number
  readonly end: number
}

/**
 * Reads the header of one DER element (X.690); enough to walk a certificate, a public or a private key.
 *
 * @param end where the surrounding element ends; nothing may reach beyond it
 * @throws {KeyImportError} when the bytes are cut off or not DER
 */
export function readElement(bytes: Uint8Array, start: number, end: number = bytes.length): DerElement {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined || start + 2 > end) throw cutOff()
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

/** Reads the elements that a constructed element is made of. */
export function childrenOf(bytes: Uint8Array, parent: DerElement): DerElement[] {
  const children: DerElement[] = []
  for (let offset = parent.contentStart; offset < parent.end; ) {
    const child = readElement(bytes, offset, parent.end)
    children.push(child)
    offset = child.end
  }
  return children
}

/**
 * @param what is named in the error
 * @throws {KeyImportError} when the element is missing or another one
 */
export function expectElement(element: DerElement | undefined, tag: number, what: string): DerElement {
  if (element?.tag !== tag) throw new KeyImportError('', `its DER has no ${what} where one is needed`)
  return element
}

function cutOff(): KeyImportError {
  return new KeyImportError('', 'its DER is cut off or damaged')
}

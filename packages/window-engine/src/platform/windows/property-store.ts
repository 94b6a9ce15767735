import { nativeCalls, openSystemLibrary, wideText, withParts } from '@service-link/protocol-core/windows'

const functions = {
  DispCallFunc: {
    return: 'int32',
    arguments: ['uint64', 'uint64', 'int32', 'uint16', 'uint32', 'buffer', 'buffer', 'buffer'],
  },
} as const

const lengthFunction = { lstrlenW: { return: 'int32', arguments: ['uint64'] } } as const
const freeFunction = { PropVariantClear: { return: 'int32', arguments: ['buffer'] } } as const

/** Places of the methods of `IPropertyStore` in its table of functions. */
const methods = { release: 2, getValue: 5, setValue: 6 } as const
const pointerBytes = 8
const variantBytes = 24
const standardCall = 4
const kinds = { integer: 3, longInteger: 20, text: 31 } as const
/** `IID_IPropertyStore` */
const interfaceId = guidBytes('886d8eeb-8cf2-4446-8d02-cdba1dbdcf99')

/** A property's set and number within it. */
export interface PropertyKey {
  readonly set: string
  readonly id: number
}

/** Properties that Windows keeps for a window, or others that are like them. */
export class PropertyStore implements Disposable {
  readonly #store: bigint

  /**
   * @param open asks Windows for the store by the interface's id, and puts its address into the second buffer
   * @returns `undefined` when Windows refuses, on other systems, and without `node:ffi`
   */
  static open(open: (interfaceId: Buffer, store: Buffer) => number): PropertyStore | undefined {
    const store = Buffer.alloc(pointerBytes)
    if (!openSystemLibrary('oleaut32', functions) || open(interfaceId, store) !== 0) return undefined
    return new PropertyStore(store.readBigUInt64LE())
  }

  private constructor(store: bigint) {
    this.#store = store
  }

  /** Returns whether Windows has accepted the text. */
  set(key: PropertyKey, text: string): boolean {
    const value = Buffer.alloc(variantBytes)
    value.writeUInt16LE(kinds.text)
    return this.#call(methods.setValue, keyBytes(key), withParts(value, { 8: wideText(text) })) === 0
  }

  /** Returns the text; `undefined` if the property has none. */
  get(key: PropertyKey): string | undefined {
    const value = Buffer.alloc(variantBytes)
    if (this.#call(methods.getValue, keyBytes(key), value) !== 0 || value.readUInt16LE() !== kinds.text)
      return undefined
    const address = value.readBigUInt64LE(8)
    const units = openSystemLibrary('kernel32', lengthFunction)?.lstrlenW(address) ?? 0
    const text = nativeCalls()
      ?.toBuffer(address, 2 * units)
      .toString('utf16le')
    openSystemLibrary('ole32', freeFunction)?.PropVariantClear(value)
    return text
  }

  [Symbol.dispose](): void {
    this.#call(methods.release)
  }

  /**
   * Calls a method by its place, with the addresses of structures. Copies of them lie in one buffer, which the call holds; they are
   * copied back, so the structures live as long.
   */
  #call(method: number, ...structures: readonly Buffer[]): number {
    const oleaut32 = openSystemLibrary('oleaut32', functions)
    const count = structures.length
    const headBytes = count * (pointerBytes + variantBytes)
    const memory = Buffer.concat([Buffer.alloc(headBytes), ...structures, Buffer.alloc(pointerBytes)])
    const argumentKinds = Buffer.alloc(2 * count + 2)
    const start = addressOf(memory)
    let end = headBytes
    const places = structures.map((structure, index) => {
      const [place, variant] = [end, count * pointerBytes + index * variantBytes]
      end += structure.length
      memory.writeBigUInt64LE(start + BigInt(variant), index * pointerBytes)
      memory.writeUInt16LE(kinds.longInteger, variant)
      memory.writeBigUInt64LE(start + BigInt(place), variant + 8)
      argumentKinds.writeUInt16LE(kinds.longInteger, 2 * index)
      return place
    })
    const result = Buffer.alloc(variantBytes)
    const at = BigInt(method * pointerBytes)
    const shape = [standardCall, kinds.integer, count] as const
    const called = oleaut32?.DispCallFunc(this.#store, at, ...shape, argumentKinds, memory, result) ?? -1
    for (const [index, structure] of structures.entries()) memory.copy(structure, 0, places[index])
    return called === 0 ? result.readInt32LE(8) : called
  }
}

function addressOf(bytes: Buffer): bigint {
  return nativeCalls()?.getRawPointer(bytes) ?? 0n
}

function keyBytes({ set, id }: PropertyKey): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32LE(id)
  return Buffer.concat([guidBytes(set), number])
}

/** The first three parts of a GUID are numbers, with the lowest byte first. */
function guidBytes(text: string): Buffer {
  const [first = '', second = '', third = '', ...rest] = text.split('-')
  const numbers = [first, second, third].map(part => Buffer.from(part, 'hex').reverse())
  return Buffer.concat([...numbers, Buffer.from(rest.join(''), 'hex')])
}

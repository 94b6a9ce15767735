import { defineError } from '../errors/define-error.ts'
import { openSystemLibrary, readWideText, wideText } from './system-library.ts'

/** Current user or machine. */
export type RegistryHive = 'HKCU' | 'HKLM'

/** Text, list of texts or number. A text with variables has their values in their place. */
export type RegistryValue = string | readonly string[] | number

/**
 * Windows did not let this process read or write a key, or the key is damaged.
 *
 * @remedy Let the user read and write the key of the brand below `HKEY_CURRENT_USER`.
 * @retry after the repair
 * @seenBy administrator
 */
export class RegistryError extends defineError('ERR_REGISTRY', (key: string, status: number) => ({
  message: `The registry key ${key} cannot be used (error ${status} of Windows).`,
  key,
  status,
})) {}

/** The registry of Windows, as programs of 64 bits see it. */
export interface Registry {
  /**
   * Reads all values of a key; empty if there is no such key. Values of other kinds, and of more than 64 KiB, are left out.
   *
   * @throws {RegistryError} when the key cannot be read
   */
  read(hive: RegistryHive, key: string): ReadonlyMap<string, RegistryValue>
  /**
   * Names the keys directly below a key; none if there is no such key.
   *
   * @throws {RegistryError} when the key cannot be read
   */
  keysBelow(hive: RegistryHive, key: string): readonly string[]
  /**
   * Writes texts in the order given. Makes the key if it is missing.
   *
   * @throws {RegistryError} when a value cannot be written
   */
  write(hive: RegistryHive, key: string, values: Readonly<Record<string, string>>): void
  /** Whether this process may write values of a key, which need not be there. Changes nothing. */
  isWritable(hive: RegistryHive, key: string): boolean
  /**
   * Removes values. Does nothing for those that are missing.
   *
   * @throws {RegistryError} when a value cannot be removed
   */
  remove(hive: RegistryHive, key: string, names: readonly string[]): void
}

const hives = { HKCU: 0xffffffff80000001n, HKLM: 0xffffffff80000002n } as const
const status = { done: 0, missing: 2, noPath: 3, tooLarge: 234, noMore: 259 } as const
/** `KEY_WOW64_64KEY` with `KEY_READ`, with `KEY_SET_VALUE`, or with `KEY_CREATE_SUB_KEY`. */
const access = { read: 0x20119, write: 0x102, makeKeys: 0x104 } as const
const kinds = { text: 1, textWithVariables: 2, number: 4, texts: 7, longNumber: 11 } as const
/** Longest name of a value and of a key, in units of UTF-16, and the largest value that is read, in bytes. */
const maxNameUnits = 16_384
const maxValueBytes = 65_536

const functions = {
  RegOpenKeyExW: { return: 'uint32', arguments: ['uint64', 'buffer', 'uint32', 'uint32', 'buffer'] },
  RegCreateKeyExW: {
    return: 'uint32',
    arguments: [
      ...(['uint64', 'buffer', 'uint32', 'pointer', 'uint32', 'uint32'] as const),
      ...(['pointer', 'buffer', 'pointer'] as const),
    ],
  },
  RegEnumValueW: {
    return: 'uint32',
    arguments: ['uint64', 'uint32', 'buffer', 'buffer', 'pointer', 'buffer', 'buffer', 'buffer'],
  },
  RegEnumKeyExW: {
    return: 'uint32',
    arguments: ['uint64', 'uint32', 'buffer', 'buffer', 'pointer', 'pointer', 'pointer', 'pointer'],
  },
  RegSetValueExW: {
    return: 'uint32',
    arguments: ['uint64', 'buffer', 'uint32', 'uint32', 'buffer', 'uint32'],
  },
  RegDeleteValueW: { return: 'uint32', arguments: ['uint64', 'buffer'] },
  RegCloseKey: { return: 'uint32', arguments: ['uint64'] },
} as const

const expansion = {
  ExpandEnvironmentStringsW: { return: 'uint32', arguments: ['buffer', 'buffer', 'uint32'] },
} as const

/**
 * Opens the registry without another program: administrators may forbid `reg.exe`.
 *
 * @returns `undefined` on other systems, and without `node:ffi`
 */
export function openRegistry(): Registry | undefined {
  const advapi32 = openSystemLibrary('advapi32', functions)
  const kernel32 = openSystemLibrary('kernel32', expansion)
  if (!advapi32 || !kernel32) return undefined

  /** Runs work on an open key. Gives nothing when the key is missing. */
  function withKey<Result>(
    hive: RegistryHive,
    key: string,
    rights: number,
    work: (handle: bigint) => Result,
  ): Result | undefined {
    const handle = Buffer.alloc(8)
    const opened = advapi32?.RegOpenKeyExW(hives[hive], wideText(key), 0, rights, handle) ?? 0
    if (opened === status.missing || opened === status.noPath) return undefined
    check(hive, key, opened)
    try {
      return work(handle.readBigUInt64LE())
    } finally {
      advapi32?.RegCloseKey(handle.readBigUInt64LE())
    }
  }

  function expand(text: string): string {
    const expanded = Buffer.alloc(2 * maxValueBytes)
    const units = kernel32?.ExpandEnvironmentStringsW(wideText(text), expanded, maxValueBytes) ?? 0
    return units > 0 && units <= maxValueBytes ? readWideText(expanded) : text
  }

  function toValue(kind: number, bytes: Buffer): RegistryValue | undefined {
    if (kind === kinds.text) return readWideText(bytes)
    if (kind === kinds.textWithVariables) return expand(readWideText(bytes))
    if (kind === kinds.texts) return bytes.toString('utf16le').split('\0').filter(Boolean)
    if (kind === kinds.number && bytes.length === 4) return bytes.readUInt32LE()
    if (kind === kinds.longNumber && bytes.length === 8) return Number(bytes.readBigUInt64LE())
    return undefined
  }

  return {
    read(hive, key) {
      const values = new Map<string, RegistryValue>()
      withKey(hive, key, access.read, handle => {
        const name = Buffer.alloc(2 * maxNameUnits)
        const data = Buffer.alloc(maxValueBytes)
        for (let index = 0; ; index++) {
          const nameUnits = numberBytes(maxNameUnits)
          const kind = numberBytes(0)
          const dataBytes = numberBytes(maxValueBytes)
          const parts = [nameUnits, null, kind, data, dataBytes] as const
          const found = advapi32.RegEnumValueW(handle, index, name, ...parts)
          if (found === status.noMore) return
          if (found === status.tooLarge) continue
          check(hive, key, found)
          const value = toValue(kind.readUInt32LE(), data.subarray(0, dataBytes.readUInt32LE()))
          if (value !== undefined) values.set(readWideText(name), value)
        }
      })
      return values
    },
    keysBelow(hive, key) {
      const names: string[] = []
      withKey(hive, key, access.read, handle => {
        const name = Buffer.alloc(2 * maxNameUnits)
        for (;;) {
          const units = numberBytes(maxNameUnits)
          const found = advapi32.RegEnumKeyExW(handle, names.length, name, units, null, null, null, null)
          if (found === status.noMore) return
          check(hive, key, found)
          names.push(readWideText(name))
        }
      })
      return names
    },
    write(hive, key, values) {
      const opened = Buffer.alloc(8)
      const options = [0, null, 0, access.write, null, opened, null] as const
      check(hive, key, advapi32.RegCreateKeyExW(hives[hive], wideText(key), ...options))
      const handle = opened.readBigUInt64LE()
      try {
        for (const [name, value] of Object.entries(values)) {
          const bytes = wideText(value)
          const written = advapi32.RegSetValueExW(handle, wideText(name), 0, kinds.text, bytes, bytes.length)
          check(hive, key, written)
        }
      } finally {
        advapi32.RegCloseKey(handle)
      }
    },
    isWritable(hive, key) {
      try {
        let isAllowed = withKey(hive, key, access.write, () => true)
        for (let above = parentOf(key); isAllowed === undefined && above !== ''; above = parentOf(above))
          isAllowed = withKey(hive, above, access.makeKeys, () => true)
        return isAllowed === true
      } catch {
        return false
      }
    },
    remove(hive, key, names) {
      withKey(hive, key, access.write, handle => {
        for (const name of names) {
          const removed = advapi32.RegDeleteValueW(handle, wideText(name))
          if (removed !== status.missing) check(hive, key, removed)
        }
      })
    },
  }
}

function parentOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('\\')))
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function check(hive: RegistryHive, key: string, result: number): void {
  if (result !== status.done) throw new RegistryError(`${hive}\\${key}`, result)
}

import { systemProgram } from '../wrapper/user-folder.ts'

// The types of `node:ffi` are in those of Node 26 alone. Programs that import these packages may have older ones.

/** Kind of a value, in the words of `node:ffi`. A structure is a `buffer`, and a handle a `uint64`. */
export type NativeKind = 'void' | 'uint16' | 'int32' | 'uint32' | 'int64' | 'uint64' | 'pointer' | 'buffer'

/** Result and arguments of a function. */
export interface NativeSignature {
  /** Default: `void`. */
  readonly return?: NativeKind | undefined
  /** Default: none. */
  readonly arguments?: readonly NativeKind[] | undefined
}

interface NativeValues {
  readonly void: undefined
  readonly uint16: number
  readonly int32: number
  readonly uint32: number
  readonly int64: bigint
  readonly uint64: bigint
  readonly pointer: bigint | Uint8Array | null
  readonly buffer: Uint8Array
}

interface NativeResults extends Omit<NativeValues, 'pointer'> {
  readonly pointer: bigint
}

type ArgumentsOf<Kinds extends readonly NativeKind[]> = {
  -readonly [Place in keyof Kinds]: NativeValues[Kinds[Place]]
}

/** A function of a system library, and its address. */
export type NativeFunction<Signature extends NativeSignature> = ((
  ...values: Signature extends { readonly arguments: infer Kinds extends readonly NativeKind[] }
    ? ArgumentsOf<Kinds>
    : []
) => Signature extends { readonly return: infer Kind extends NativeKind }
  ? NativeResults[Kind]
  : undefined) & {
  readonly pointer: bigint
}

/** Functions by their names. */
export type NativeFunctions<Definitions extends Readonly<Record<string, NativeSignature>>> = {
  readonly [Name in keyof Definitions]: NativeFunction<Definitions[Name]>
}

/** What is used of the module `node:ffi`. */
export interface NativeCalls {
  dlopen<const Definitions extends Readonly<Record<string, NativeSignature>>>(
    path: string,
    definitions: Definitions,
  ): { readonly functions: NativeFunctions<Definitions> }
  /** The address of a buffer's bytes, as long as the buffer lives. */
  getRawPointer(bytes: Uint8Array): bigint
  /** A copy of bytes at an address. */
  toBuffer(address: bigint, length: number): Buffer
}

/**
 * The module `node:ffi`, which calls functions of system libraries. Node has it from version 26 on, so a packed wrapper always has it.
 *
 * @returns `undefined` on an older Node, and where it is switched off (`--no-experimental-ffi`, `--permission` without `--allow-ffi`)
 */
export function nativeCalls(): NativeCalls | undefined {
  // Node would tell each user of a program once that the module is experimental.
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:ffi') as unknown as NativeCalls | undefined
  } catch {
    return undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Opened functions by their definitions, and by the library's name. */
const opened = new WeakMap<object, Map<string, unknown>>()

/**
 * Opens functions of a system library of Windows. It is named by its absolute path, because Windows would search the program's folder for
 * a bare name.
 *
 * @param name file name without its ending, such as `user32`
 * @param definitions result and arguments of each function, in the words of `node:ffi`. The library is opened once for each such object,
 *   so keep one, and do not change it
 * @returns `undefined` on other systems, without {@link nativeCalls}, and if the library lacks one of the functions
 * @example
 * ```ts
 * import { openSystemLibrary } from '@service-link/protocol-core/windows'
 *
 * const functions = { AllowSetForegroundWindow: { return: 'int32', arguments: ['uint32'] } } as const
 * openSystemLibrary('user32', functions)?.AllowSetForegroundWindow(4711)
 * ```
 */
export function openSystemLibrary<const Definitions extends Readonly<Record<string, NativeSignature>>>(
  name: string,
  definitions: Definitions,
): NativeFunctions<Definitions> | undefined {
  if (process.platform !== 'win32') return undefined
  const ofDefinitions = opened.get(definitions) ?? new Map<string, unknown>()
  const known = ofDefinitions.get(name)
  if (known) return known as NativeFunctions<Definitions>
  try {
    const functions = nativeCalls()?.dlopen(systemProgram(`${name}.dll`), definitions).functions
    opened.set(definitions, ofDefinitions.set(name, functions))
    return functions
  } catch {
    return undefined
  }
}

/**
 * Puts a structure and what it points to into one buffer. Node keeps the buffers that a call gets until it returns, but a buffer
 * whose address alone is known could be collected meanwhile.
 *
 * @param structure with room for the addresses, and with an even length
 * @param parts content by the place of its address in the structure
 * @returns the structure with the addresses, followed by the parts; without `node:ffi` the addresses are 0
 */
export function withParts(structure: Uint8Array, parts: Readonly<Record<number, Uint8Array>>): Buffer {
  const memory = Buffer.concat([structure, ...Object.values(parts)])
  const start = nativeCalls()?.getRawPointer(memory) ?? 0n
  let place = structure.length
  for (const [at, part] of Object.entries(parts)) {
    memory.writeBigUInt64LE(start && start + BigInt(place), Number(at))
    place += part.length
  }
  return memory
}

/** A text as Windows' functions take it: UTF-16 with a zero at its end. Nothing follows a zero in the text. */
export function wideText(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le')
}

/** The text up to the first zero of what a function of Windows has written. */
export function readWideText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf16le').split('\0', 1)[0] ?? ''
}

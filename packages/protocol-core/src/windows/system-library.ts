import type { DynamicLibraryResult, FunctionDefinitions } from 'node:ffi'
import { systemProgram } from '../wrapper/user-folder.ts'

type NativeCalls = typeof import('node:ffi')

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
    return process.getBuiltinModule('node:ffi') as NativeCalls | undefined
  } catch {
    return undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Opens functions of a system library of Windows. The library stays open until the process ends. It is named by its absolute path,
 * because Windows would search the program's folder for a bare name.
 *
 * @param name file name without its ending, such as `user32`
 * @param definitions result and arguments of each function, in the words of `node:ffi`
 * @returns `undefined` on other systems, without {@link nativeCalls}, and if the library lacks one of the functions
 * @example
 * ```ts
 * import { openSystemLibrary } from '@service-link/protocol-core/windows'
 *
 * const user32 = openSystemLibrary('user32', {
 *   AllowSetForegroundWindow: { return: 'int32', arguments: ['uint32'] },
 * })
 * user32?.AllowSetForegroundWindow(4711)
 * ```
 */
export function openSystemLibrary<const Definitions extends FunctionDefinitions>(
  name: string,
  definitions: Definitions,
): DynamicLibraryResult<Definitions>['functions'] | undefined {
  if (process.platform !== 'win32') return undefined
  try {
    return nativeCalls()?.dlopen(systemProgram(`${name}.dll`), definitions).functions
  } catch {
    return undefined
  }
}

/** A text as Windows' functions take it: UTF-16 with a zero at its end. Nothing follows a zero in the text. */
export function wideText(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le')
}

/** The text up to the first zero of what a function of Windows has written. */
export function readWideText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf16le').split('\0', 1)[0] ?? ''
}

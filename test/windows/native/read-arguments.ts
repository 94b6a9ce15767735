/** The arguments that `arguments.c` received. */
export interface NativeArguments {
  /** Split by the C run-time library. */
  readonly runtime: readonly string[]
  /** Split by `CommandLineToArgvW`. */
  readonly shell: readonly string[]
}

/** Reads the output of `arguments.c`. */
export function readArguments(text: string): NativeArguments {
  const lines = text.split(/\r?\n/).filter(line => line !== '')
  const of = (by: string) => lines.filter(line => line.startsWith(by)).map(line => readText(line.slice(2)))
  return { runtime: of('R'), shell: of('S') }
}

function readText(digits: string): string {
  const units = digits.match(/.{4}/g) ?? []
  return String.fromCharCode(...units.map(unit => Number.parseInt(unit, 16)))
}

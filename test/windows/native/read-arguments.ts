/** What `arguments.c` has got. */
export interface NativeArguments {
  /** As the C run-time library splits the command line. */
  readonly runtime: readonly string[]
  /** As `CommandLineToArgvW` does. */
  readonly shell: readonly string[]
}

/** Reads what `arguments.c` has written. */
export function readArguments(text: string): NativeArguments {
  const lines = text.split(/\r?\n/).filter(line => line !== '')
  const of = (by: string) => lines.filter(line => line.startsWith(by)).map(line => readText(line.slice(2)))
  return { runtime: of('R'), shell: of('S') }
}

function readText(digits: string): string {
  const units = digits.match(/.{4}/g) ?? []
  return String.fromCharCode(...units.map(unit => Number.parseInt(unit, 16)))
}

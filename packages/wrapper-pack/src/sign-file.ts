import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PackError, type SignTool } from './pack-plan.ts'
import { runTool } from './run-tool.ts'
import { isWindowsProgram, signatureProblem } from './signature.ts'

/** Longest run of a signing program in milliseconds: a person may have to enter the PIN of a smart card. */
const signTimeoutMs = 600_000

interface SignProgramsOptions {
  /** Absolute. */
  readonly folder: string
  readonly tool: SignTool
  readonly signal?: AbortSignal | undefined
  onProgress(sentence: string): void
}

/** Signs all programs and libraries for Windows below a folder. Those that their maker has signed stay as they are. */
export async function signPrograms({ folder, tool, signal, onProgress }: SignProgramsOptions): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  for (const file of files.sort()) {
    if (!(await isWindowsProgram(file)) || (await signatureProblem(file)) === undefined) continue
    onProgress(`Signing ${basename(file)} …`)
    await signFile(file, tool, signal)
  }
}

/** Signs a file by the brand's signing program, and looks for the signature. Windows checks whose it is. */
export async function signFile(
  file: string,
  { argv, folder }: SignTool,
  signal?: AbortSignal,
): Promise<void> {
  const [program = '', ...args] = argv
  const end = await runTool(
    program,
    args.map(argument => argument.replaceAll('{file}', () => file)),
    { timeoutMs: signTimeoutMs, signal, workingDirectory: folder },
  )
  const subject = `${basename(file)} could not be signed`
  if (end.startProblem)
    throw new PackError(`${subject}: the signing program could not be started (${end.startProblem}).`)
  if (end.exitCode !== 0)
    throw new PackError(
      `${subject}: the signing program ended with ${end.exitCode ?? 'a signal'}.\n${withoutArguments(end.output, args)}`.trim(),
    )
  const problem = await signatureProblem(file)
  if (problem !== undefined)
    throw new PackError(`${subject}: the signing program ended with 0, but ${problem}.`)
}

/** Shorter arguments, such as `-h`, are part of any text. */
const minArgumentLength = 4

/** Removes arguments that the program repeats. */
function withoutArguments(output: string, args: readonly string[]): string {
  return args
    .filter(argument => argument.length >= minArgumentLength && !argument.includes('{file}'))
    .sort((a, b) => b.length - a.length)
    .reduce((text, argument) => text.replaceAll(argument, '…'), output)
}

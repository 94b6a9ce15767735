import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { PackError, type SignTool } from './pack-plan.ts'
import { runTool } from './run-tool.ts'

/** Longest run of a signing program in milliseconds: a person may have to enter the PIN of a smart card. */
const signTimeoutMs = 600_000

/** Signs a file by the brand's signing program, and checks that the program changed its size. Windows checks the signature. */
export async function signFile(
  file: string,
  { argv, folder }: SignTool,
  signal?: AbortSignal,
): Promise<void> {
  const [program = '', ...args] = argv
  const { size } = await stat(file)
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
  if ((await stat(file)).size === size)
    throw new PackError(`${subject}: the signing program ended with 0, but the file is as before.`)
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

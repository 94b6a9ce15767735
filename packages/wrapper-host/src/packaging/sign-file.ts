import { basename } from 'node:path'
import { PackError } from './pack-error.ts'
import type { SignCommand } from './pack-plan.ts'
import { runTool } from './run-tool.ts'
import { isSigned } from './signature.ts'

/** Longest run of a signing program in milliseconds: a person may have to enter the word of a smart card. */
const signTimeoutMs = 600_000

/**
 * Has a file signed by the brand's own program, and looks whether it then is. Whether its signature is valid is for Windows to say.
 *
 * @param file absolute path of an executable for Windows or an installer
 * @param sign the program, and where it is started; no shell reads its arguments
 * @throws {PackError} `sign`; with what the program wrote, never with its arguments, which may hold a password
 */
export async function signFile(
  file: string,
  { command, folder }: SignCommand,
  signal?: AbortSignal,
): Promise<void> {
  const [program = '', ...args] = command
  const end = await runTool(
    program,
    args.map(argument => argument.replaceAll('{file}', () => file)),
    { timeoutMs: signTimeoutMs, signal, workingDirectory: folder },
  )
  const subject = `${basename(file)} could not be signed`
  if (end.startProblem)
    throw new PackError('sign', `${subject}: the signing program could not be started (${end.startProblem}).`)
  if (end.exitCode !== 0)
    throw new PackError(
      'sign',
      `${subject}: the signing program ended with ${end.exitCode ?? 'a signal'}.\n${withoutArguments(end.output, args)}`.trim(),
    )
  if (!(await isSigned(file)))
    throw new PackError(
      'sign',
      `${subject}: the signing program ended with 0 and left no signature in the file.`,
    )
}

/** Shorter ones, such as `-h`, are in any text. */
const minArgumentLength = 4

/** A program may repeat its arguments. */
function withoutArguments(output: string, args: readonly string[]): string {
  return args
    .filter(argument => argument.length >= minArgumentLength && !argument.includes('{file}'))
    .sort((a, b) => b.length - a.length)
    .reduce((text, argument) => text.replaceAll(argument, '…'), output)
}

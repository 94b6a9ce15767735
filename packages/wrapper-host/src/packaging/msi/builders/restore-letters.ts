import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PackError } from '../../pack-error.ts'
import { unmarkLetters } from './marked-letters.ts'
import { type RunBuilderOptions, runBuilder } from './run-builder.ts'

/** A table has a row for each file that is installed. */
const maxTableBytes = 64 * 1024 * 1024

/**
 * Puts letters in the place of their marks, in all tables of an installer and in what its properties show.
 *
 * @param msi absolute path of an installer whose code page is UTF-8 already
 * @throws {PackError} `installer` when the programs of msitools fail
 * @throws the signal's reason when it was aborted
 */
export async function restoreLetters(msi: string, run: RunBuilderOptions): Promise<void> {
  const ask = (...args: string[]) => askInstaller(args, run)
  const tables = (await ask('tables', msi)).split(/\s+/).filter(name => /^[A-Za-z]/.test(name))
  for (const name of tables) {
    const table = await ask('export', msi, name)
    const restored = unmarkLetters(table)
    if (restored === table) continue
    await writeFile(join(run.workingDirectory, `${name}.idt`), restored)
    await runBuilder('msibuild', [msi, '-q', `DELETE FROM \`${name}\``], run)
    await runBuilder('msibuild', [msi, '-i', `${name}.idt`], run)
  }
  const shown = await ask('suminfo', msi)
  const [subject = '', author = ''] = ['Subject', 'Author'].map(name =>
    unmarkLetters(new RegExp(`^${name}: (.*)$`, 'm').exec(shown)?.[1] ?? ''),
  )
  const identity = `{${randomUUID().toUpperCase()}}`
  await runBuilder('msibuild', [msi, '-s', subject, author, 'x64;1033', identity], run)
}

async function askInstaller(
  args: readonly string[],
  { workingDirectory, signal }: RunBuilderOptions,
): Promise<string> {
  // It writes the icons beside the table of them.
  const options = { maxBuffer: maxTableBytes, cwd: workingDirectory, signal }
  try {
    return (await promisify(execFile)('msiinfo', args, options)).stdout
  } catch {
    signal?.throwIfAborted()
    throw new PackError('installer', `The installer was not made: msiinfo ${args[0]} failed.`)
  }
}

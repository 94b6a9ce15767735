import { parseArgs } from 'node:util'
import { describeSettings } from '../settings/describe-settings.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'
import { endWith } from './end-with.ts'
import type { ProgramIdentity } from './program-identity.ts'
import { settingsText } from './settings-text.ts'

/**
 * `settings [--json]`: says on standard output what settings the next start has, where each comes from,
 * and what is wrong, and ends the process. Neither makes nor changes a file.
 *
 * @param argv what follows the word `settings`
 * @param identity whose settings they are
 * @returns exit code, with which it ends: 0 when all is right, 1 when a file or a value is not, 2 for other arguments
 */
export async function settingsCommand(
  argv: readonly string[],
  { brand, version, command }: ProgramIdentity,
): Promise<number> {
  const options = readOptions(argv)
  if (!options) {
    process.stderr.write(`Usage: ${command} settings [--json]\n`)
    return 2
  }
  const folders = locateFolders(brand)
  const report = await describeSettings({ brand, folders, version })
  return endWith(
    options.json ? `${JSON.stringify(report, undefined, 2)}\n` : settingsText(report),
    report.isRight ? 0 : 1,
  )
}

function readOptions(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { json: { type: 'boolean' } },
    })
    return values
  } catch {
    // An argument that is none of these.
    return undefined
  }
}

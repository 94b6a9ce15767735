import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'

/**
 * A real program that speaks the icon's protocol by the test's script. `say(value)` writes a line, `heard(line)` gets each input
 * line, `note(value)` appends a line to the file of {@link notes}. The program ends with its input.
 */
const frame = (notes: string, script: string) => `#!${process.execPath}
const { appendFileSync } = require('node:fs')
const say = value => process.stdout.write(JSON.stringify(value) + '\\n')
const note = value => appendFileSync(${JSON.stringify(notes)}, JSON.stringify(value) + '\\n')
let heard = () => undefined
require('node:readline').createInterface({ input: process.stdin }).on('line', line => heard(JSON.parse(line)))
process.stdin.on('end', () => process.exit())
note(process.pid)
${script}
`

/** Writes a program for a test, removed at the end of the scope. */
export async function trayProgram(script: string) {
  const folder = await temporaryFolder()
  const executable = join(folder.path, 'tray.cjs')
  const notes = join(folder.path, 'notes')
  await writeFile(executable, frame(notes, script), { mode: 0o755 })
  return { executable, notes, folder: folder.path, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

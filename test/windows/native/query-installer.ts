// Runs statements of Windows Installer's SQL on a package, and writes the rows that they give: texts by column.
// Arguments: the package, and the statements as JSON in base64, since quotes of a command line get lost on some ways.
import {
  openSystemLibrary,
  readWideText,
  wideText,
} from '../../../packages/protocol-core/src/windows/index.ts'

const msi = openSystemLibrary('msi', {
  MsiOpenDatabaseW: { return: 'uint32', arguments: ['buffer', 'pointer', 'buffer'] },
  MsiDatabaseOpenViewW: { return: 'uint32', arguments: ['uint32', 'buffer', 'buffer'] },
  MsiViewExecute: { return: 'uint32', arguments: ['uint32', 'uint32'] },
  MsiViewFetch: { return: 'uint32', arguments: ['uint32', 'buffer'] },
  MsiRecordGetFieldCount: { return: 'uint32', arguments: ['uint32'] },
  MsiRecordGetStringW: { return: 'uint32', arguments: ['uint32', 'uint32', 'buffer', 'buffer'] },
  MsiDatabaseCommit: { return: 'uint32', arguments: ['uint32'] },
  MsiCloseHandle: { return: 'uint32', arguments: ['uint32'] },
})
if (!msi) throw new Error('Windows Installer cannot be called.')

/** `MSIDBOPEN_TRANSACT`, a number in the place of a text. */
const toBeChanged = 1n
const maxLetters = 4096

/** Calls a function that gives a handle. */
function handle(what: string, call: (made: Buffer) => number): number {
  const made = Buffer.alloc(4)
  check(what, call(made))
  return made.readUInt32LE()
}

function check(what: string, status: number): void {
  if (status !== 0) throw new Error(`Windows Installer answers ${status}: ${what}`)
}

const [file = '', encoded = ''] = process.argv.slice(2)
const statements: string[] = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
const database = handle(file, made => msi.MsiOpenDatabaseW(wideText(file), toBeChanged, made))
const rows = statements.flatMap(statement => {
  const view = handle(statement, made => msi.MsiDatabaseOpenViewW(database, wideText(statement), made))
  check(statement, msi.MsiViewExecute(view, 0))
  const found: string[][] = []
  const next = Buffer.alloc(4)
  while (statement.startsWith('SELECT') && msi.MsiViewFetch(view, next) === 0) {
    const record = next.readUInt32LE()
    const columns = Array.from({ length: msi.MsiRecordGetFieldCount(record) }, (_, index) => {
      const text = Buffer.alloc(maxLetters * 2)
      const length = Buffer.alloc(4)
      length.writeUInt32LE(maxLetters)
      check(statement, msi.MsiRecordGetStringW(record, index + 1, text, length))
      return readWideText(text)
    })
    msi.MsiCloseHandle(record)
    found.push(columns)
  }
  msi.MsiCloseHandle(view)
  return found
})
check('MsiDatabaseCommit', msi.MsiDatabaseCommit(database))
msi.MsiCloseHandle(database)
process.stdout.write(JSON.stringify(rows))

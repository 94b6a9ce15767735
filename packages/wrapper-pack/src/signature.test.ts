import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
import { isWindowsProgram, signatureProblem } from './signature.ts'

const none = 'it has no signature'
const headers = { second: 64, optional: 64 + 24, tables: 64 + 24 + 108, signature: 64 + 24 + 112 + 4 * 8 }

/** Headers of a program of 64 bits, in 512 bytes. */
function program(change: (content: Buffer) => void = () => undefined): Buffer {
  const content = Buffer.alloc(512)
  content.write('MZ', 0, 'latin1')
  content.writeUInt32LE(headers.second, 0x3c)
  content.write('PE\0\0', headers.second, 'latin1')
  content.writeUInt16LE(0x20b, headers.optional)
  content.writeUInt32LE(16, headers.tables)
  change(content)
  return content
}

const tableAt = (start: number, bytes: number) =>
  program(content => {
    content.writeUInt32LE(start, headers.signature)
    content.writeUInt32LE(bytes, headers.signature + 4)
  })

test.each<[string, Buffer, boolean, string]>([
  ['empty', Buffer.alloc(0), false, none],
  ['two letters', Buffer.from('MZ'), false, none],
  ['a text that begins as programs do', Buffer.from('MZ is the code of Mozambique. '.repeat(9)), false, none],
  ['a program of DOS', program(content => void content.write('NE', headers.second)), false, none],
  [
    'a header outside of the file',
    program(content => void content.writeUInt32LE(2 ** 32 - 1, 0x3c)),
    false,
    none,
  ],
  ['a program', program(), true, none],
  [
    'a program of a kind that nobody knows',
    program(content => void content.writeUInt16LE(1, headers.optional)),
    true,
    none,
  ],
  [
    'a program with few tables',
    program(content => void content.writeUInt32LE(2, headers.tables)),
    true,
    none,
  ],
  ['cut off in its headers', program().subarray(0, headers.signature + 4), true, 'its headers are cut off'],
  ['cut off before them', program().subarray(0, headers.second + 6), true, 'its headers are cut off'],
  ['a signature behind its end', tableAt(400, 200), true, 'its signature is cut off'],
  ['a signature in its headers', tableAt(8, 8), true, 'its signature is cut off'],
  ['a foreign signature', tableAt(400, 100), true, 'its signature is that of another file, or by SHA-1'],
])('a file without a signature of its own: %s', async (_title, content, isProgram, problem) => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'file')
  await writeFile(file, content)
  expect([await isWindowsProgram(file), await signatureProblem(file)]).toEqual([isProgram, problem])
})

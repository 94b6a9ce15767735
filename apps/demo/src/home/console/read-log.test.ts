import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
import { readLog } from './read-log.ts'

test.each([0, -5, 1.5, Number.NaN, 1e9])('from %d the log is read from its start', async from => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, 'logs'))
  await writeFile(join(folder.path, 'logs', 'wrapper.log'), 'no exchange\n')
  expect(await readLog(folder.path, from)).toEqual({ exchanges: [], end: 12 })
})

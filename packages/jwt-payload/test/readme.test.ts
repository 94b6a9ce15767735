import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const packageFolder = new URL('../', import.meta.url)

test('the program in the README runs and prints what the README says', async () => {
  const readme = await readFile(new URL('README.md', packageFolder), 'utf8')
  const [, program = '', printed = ''] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(readme) ?? []
  expect(program).not.toBe('')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@service-link/source', '--input-type=module', '--eval', program],
    { cwd: fileURLToPath(packageFolder) },
  )
  expect(stdout).toBe(printed)
})

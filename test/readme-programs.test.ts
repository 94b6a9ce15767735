import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test.each(['cli-args', 'jwt-payload', 'xml-input'])(
  'the program in the README of %s runs and prints the README’s output',
  async name => {
    const folder = new URL(`../packages/${name}/`, import.meta.url)
    const readme = await readFile(new URL('README.md', folder), 'utf8')
    const [, program = '', printed = ''] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(readme) ?? []
    expect(program).not.toBe('')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@service-link/source', '--input-type=module', '--eval', program],
      { cwd: fileURLToPath(folder) },
    )
    expect(stdout).toBe(printed)
  },
)

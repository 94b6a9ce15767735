import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as everything from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the example of the README runs as printed', () => {
  const [, example = ''] = /^```ts\n(.*?)^```/ms.exec(readme) ?? []
  const output = execFileSync(
    process.execPath,
    ['-C', '@service-link/source', '--input-type=module', '-e', example],
    { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8' },
  )
  expect(output).toBe("{ name: 'openworkout', args: { id: 17 } }\n")
})

test('the README names only exports', () => {
  const tables = readme.slice(readme.indexOf('## What is in it'))
  const named = [...tables.matchAll(/`([a-z]\w+)`/g)]
    .map(([, name = '']) => name)
    .filter(name => !['cause', 'maxFrameBytes', 'culture', 'onDropped', 'onNoted', 'und'].includes(name))
  expect(named.filter(name => !['code', 'docsUrl'].includes(name) && !(name in everything))).toEqual([])
})

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { expect, test } from 'vitest'
import * as everything from '../src/index.ts'
import { reply, startServer, withVersion } from './support/classic-server.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [, example = ''] = /^```ts\n(.*?)^```/ms.exec(readme) ?? []

test('the example of the README runs as printed', async () => {
  await using server = await startServer(
    withVersion((socket, { Method }) => {
      if (Method === 'selectperson') reply(socket, '{"status":"created","userid":5,"customid":"4711"}')
      else if (Method === 'getworkoutsforclient') reply(socket, '[{"id":17}]')
      else socket.end()
    }),
    { brand: defaultBrand },
  )
  const pinned = example.replace('connectWrapper()', `connectWrapper({ pid: ${server.pid} })`)
  const child = spawn(process.execPath, ['-C', '@service-link/source', '--input-type=module', '-e', pinned], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  const exitCode = await new Promise(resolve => child.on('close', resolve))
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'created 5\n' })
  expect(server.requests.map(({ Method }) => Method)).toEqual([
    'selectperson',
    'getworkoutsforclient',
    'openworkout',
  ])
})

test('the README explains every code of the package', () => {
  const source = readFileSync(new URL('../src/errors/pipe-error.ts', import.meta.url), 'utf8')
  const codes = new Set(source.match(/ERR_PIPE_[A-Z_]+/g))
  expect(codes.size).toBeGreaterThan(7)
  for (const code of codes) expect(readme).toContain(`| \`${code}\``)
})

test('each code has one exported class', () => {
  const classes = Object.keys(everything).filter(name => /^Pipe.+Error$/.test(name))
  expect(classes).toHaveLength(13)
})

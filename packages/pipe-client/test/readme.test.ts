import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { expect, test } from 'vitest'
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

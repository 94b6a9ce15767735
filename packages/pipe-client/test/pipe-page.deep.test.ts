import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { expect, test } from 'vitest'
import { reply, startServer, withVersion } from './support/classic-server.ts'

const example = fileURLToPath(new URL('../../../conformance/java/PipeExample.java', import.meta.url))
const hasJava = spawnSync('java', ['--version'], { stdio: 'ignore' }).status === 0
const why = hasJava ? '' : ' (skipped: there is no Java here)'

test.runIf(hasJava)(`[4.5-envelope] the example in Java runs as printed${why}`, async () => {
  const person = '{"status":"created","userid":5,"customid":"4711"}'
  await using server = await startServer(
    withVersion(socket => reply(socket, person)),
    { brand: defaultBrand },
  )
  const { stdout } = await promisify(execFile)('java', [example, String(server.pid)])
  expect(stdout).toBe(`3.0.0.0\n${person}\n`)
  expect(server.requests).toMatchObject([
    { Method: 'version' },
    { Method: 'selectperson', Args: { customid: '4711', firstname: 'Kåre', lastname: 'Nordmann' } },
  ])
})

import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { expect, test } from 'vitest'
import { reply, startServer, withVersion } from './support/classic-server.ts'

const page = readFileSync(new URL('../../../docs/reference/pipe.md', import.meta.url), 'utf8')
const hasJava = spawnSync('java', ['--version'], { stdio: 'ignore' }).status === 0
const why = hasJava ? '' : ' (skipped: there is no Java here)'

test.runIf(hasJava)(`[4.5-envelope] the example in Java runs as printed${why}`, async () => {
  const person = '{"status":"created","userid":5,"customid":"4711"}'
  await using server = await startServer(
    withVersion(socket => reply(socket, person)),
    { brand: defaultBrand },
  )
  const folder = mkdtempSync(join(tmpdir(), 'pipe-page-'))
  const [, example = ''] = /^```java\n(.*?)^```/ms.exec(page) ?? []
  try {
    const file = join(folder, 'PipeExample.java')
    writeFileSync(file, example)
    const { stdout } = await promisify(execFile)('java', [file, String(server.pid)])
    expect(stdout).toBe(`3.0.0.0\n${person}\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
  expect(server.requests).toMatchObject([
    { Method: 'version' },
    { Method: 'selectperson', Args: { customid: '4711', firstname: 'Kåre', lastname: 'Nordmann' } },
  ])
})

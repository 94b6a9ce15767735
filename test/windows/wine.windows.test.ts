import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWindowsMachine, type WindowsMachine } from './wine/windows-machine.ts'
import { windowsPath } from './wine/windows-path.ts'

let windows: WindowsMachine
let folder: string
beforeAll(async () => {
  windows = await openWindowsMachine()
  folder = await mkdtemp(join(tmpdir(), 'windows-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

test('the wrapper’s Node runs on this Windows', async () => {
  const file = join(folder, 'program.mjs')
  await writeFile(
    file,
    "console.log(process.platform, process.version); console.error('Ærlig'); process.exitCode = 3",
  )
  const end = await windows.run(windows.node, [windowsPath(file)])
  expect(end).toEqual({ exitCode: 3, stdout: 'win32 v26.10.0\n', stderr: 'Ærlig\n' })
})

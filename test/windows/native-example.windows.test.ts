import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeFrame } from '../../packages/protocol-core/src/frame/frame.ts'
import { bundleForWindows } from './bundle.ts'
import type { ExampleEnd, ExampleRun } from './native/answer-example.ts'
import { compileNative } from './native/compile-native.ts'
import { openWindowsMachine, type WindowsMachine } from './wine/windows-machine.ts'
import { windowsPath } from './wine/windows-path.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const frame = (text: string) => Buffer.from(encodeFrame(text)).toString('hex')

let windows: WindowsMachine
let folder: string
let entry: string
beforeAll(async () => {
  windows = await openWindowsMachine()
  folder = await mkdtemp(join(tmpdir(), 'native-example-'))
  const source = await readFile(here('../../conformance/c/service_pipe.c'), 'utf8')
  const hasty = source.replace('LIMIT_MS 35000', 'LIMIT_MS 1500')
  expect(hasty).toMatch('LIMIT_MS 1500')
  await writeFile(join(folder, 'hasty.c'), hasty)
  const executable = (name: string) => join(folder, `${name}.exe`)
  await Promise.all([
    compileNative([here('../../conformance/c/service_pipe.c')], executable('service_pipe')),
    compileNative([join(folder, 'hasty.c')], executable('hasty')),
  ])
  entry = await bundleForWindows(here('native/answer-example.ts'), folder)
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

async function endsOf(runs: readonly Partial<ExampleRun>[]): Promise<readonly ExampleEnd[]> {
  const all = runs.map(run => ({ program: 'service_pipe.exe', ...run }))
  const paths = [entry, folder].map(windowsPath)
  const { exitCode, stdout, stderr } = await windows.run(windows.node, [...paths, JSON.stringify(all)])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('the example in C on Windows', () => {
  test('sends nothing to a process that does not prove to be the wrapper, or is of another desktop', async () => {
    const reply = frame('3.0.0.0')
    const ends = await endsOf([
      { secret: 'c'.repeat(64), reply },
      { desktop: '7', reply },
    ])
    expect(ends).toMatchObject([
      {
        exitCode: 3,
        output: '',
        errors: expect.stringContaining('not the wrapper of the record'),
        byteCount: 0,
      },
      { exitCode: 3, output: '', errors: expect.stringContaining('No wrapper runs'), byteCount: 0 },
    ])
  })

  test('gives up where nothing answers', async () => {
    const [end] = await endsOf([{ program: 'hasty.exe' }])
    expect(end).toMatchObject({ exitCode: 3, errors: expect.stringContaining('did not answer in time') })
  })

  test('tells whole replies from broken ones', async () => {
    const broken = ['00000000', 'ffffffff', '01000001', '0500', '0a000000616263']
    const refused = frame('{"error":"No.","code":"ERR_ARGS"}')
    const result = '[{"note":"\\"error\\": none"}]'
    const replies = [...broken, refused, frame(result), `${frame('3.0.0.0')}616263`]
    const ends = await endsOf(replies.map(reply => ({ reply })))
    expect(ends.map(({ exitCode, output }) => [exitCode, output])).toEqual([
      ...broken.map(() => [3, '']),
      [4, ''],
      [0, result],
      [0, '3.0.0.0'],
    ])
  })
})

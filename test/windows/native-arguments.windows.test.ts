import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { quoteWindowsCommandLine } from '../../packages/cli-args/src/index.ts'
import { runInWindows } from './bundle.ts'
import { compileNative } from './native/compile-native.ts'
import type { NativeArguments } from './native/read-arguments.ts'
import type { ArgumentCase } from './native/spawn-arguments.ts'
import { openWindowsMachine } from './wine/windows-machine.ts'

interface Vector {
  readonly id: string
  readonly input: { readonly argv?: readonly string[]; readonly windows?: string }
  readonly expect: { readonly argv?: readonly string[] }
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const file = await readFile(here('../../conformance/vectors/argument-quoting.json'), 'utf8')
const { vectors }: { vectors: readonly Vector[] } = JSON.parse(file)

/** Lists that are hard to quote; the same in each run. */
const nasty = fc.sample(
  fc.array(
    fc.string({
      unit: fc.constantFrom('"', '\\', ' ', '\t', '\n', 'a', '=', 'å', '漢', '*', '%'),
      maxLength: 9,
    }),
    { maxLength: 5 },
  ),
  { seed: 4711, numRuns: 25 },
)
const lists = [...vectors.flatMap(({ input }) => (input.argv ? [input.argv] : [])), ...nasty]
/** Command lines that our quoting never writes. */
const lines = vectors.flatMap(({ input, expect: { argv } }) =>
  input.windows === undefined ? [] : [[input.windows, argv] as const],
)

describe('arguments, as a native program on Windows gets them,', () => {
  let results: readonly NativeArguments[]

  beforeAll(async () => {
    const windows = await openWindowsMachine()
    const folder = await mkdtemp(join(tmpdir(), 'native-arguments-'))
    const cases: ArgumentCase[] = [
      ...lists.map(argv => ({ argv })),
      ...lists.map(argv => ({ line: quoteWindowsCommandLine(argv) })),
      ...lines.map(([line]) => ({ line })),
    ]
    try {
      await writeFile(join(folder, 'cases.json'), JSON.stringify(cases))
      await compileNative([here('native/arguments.c')], join(folder, 'arguments.exe'), ['-municode'])
      const argv = [join(folder, 'arguments.exe'), join(folder, 'cases.json')]
      results = await runInWindows(windows, here('native/spawn-arguments.ts'), folder, argv)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })

  test('are those of the array passed to Node [4.3-grammar]', () => {
    expect(lists.length).toBeGreaterThan(30)
    const got = results.slice(0, lists.length)
    expect(got.map(({ runtime }) => runtime)).toEqual(lists)
    expect(got.map(({ shell }) => shell)).toEqual(lists)
  })

  test('are those quoted into one line [4.3-grammar]', () => {
    const got = results.slice(lists.length, 2 * lists.length)
    expect(got.map(({ runtime }) => runtime)).toEqual(lists)
    expect(got.map(({ shell }) => shell)).toEqual(lists)
  })

  test.each(lines.map(([line, argv], index) => [line, argv, index] as const))(
    'of the line %j are those of its vector [4.3-grammar]',
    (_line, argv, index) => {
      expect(results[2 * lists.length + index]?.runtime).toEqual(argv)
    },
  )
})

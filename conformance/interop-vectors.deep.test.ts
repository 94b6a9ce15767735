import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isInstalled } from '../internal/test-kit/src/is-installed.ts'
import { run } from '../internal/test-kit/src/partner-programs.ts'
import { temporaryFolder } from '../internal/test-kit/src/temporary-folder.ts'

const program = fileURLToPath(new URL('./python/run_vectors.py', import.meta.url))
const vectors = fileURLToPath(new URL('./vectors/', import.meta.url))
const isLeftOut = !isInstalled('python3') && !process.env.CI

describe.skipIf(isLeftOut)(`the vectors, run in Python${isLeftOut ? ' (not installed here)' : ''},`, () => {
  test('pass for an implementation that shares nothing with ours', async () => {
    const { exitCode, output, errors } = await run('python3', ['-W', 'error', program])
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
    const lines = output.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(5)
    // Most vectors of each file run, and none fails.
    for (const line of lines) {
      const [, passed, failed, leftOut] =
        /^[a-z-]+\.json: (\d+) passed, (\d+) failed, (\d+) left out$/.exec(line) ?? []
      expect([line, failed, Number(passed) > Number(leftOut)]).toEqual([line, '0', true])
    }
  })

  test('fail for a wrong implementation', async () => {
    await using folder = await temporaryFolder()
    await cp(vectors, folder.path, { recursive: true, filter: path => !path.includes('node_modules') })
    const file = join(folder.path, 'versions.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"sign": -1', '"sign": 1'))
    const { exitCode, errors } = await run('python3', [program, folder.path])
    expect(exitCode).toBe(1)
    expect(errors).toMatch(/^versions\.json [a-z-]+: got \{"sign": -1\}\n$/)
  })
})

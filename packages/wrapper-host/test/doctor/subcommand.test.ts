import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultBrand } from '@service-link/protocol-core'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test } from 'vitest'
import type { CheckedFinding } from '../../src/doctor/doctor-check.ts'

type Executable = Awaited<ReturnType<typeof wrapperExecutable>>

/** Runs the executable to its end. */
async function run(executable: Executable, ...args: readonly string[]) {
  const { file, argv, environment } = executable.command(...args)
  const call = promisify(execFile)(file, argv, { env: environment, cwd: executable.folder })
  const {
    code = 0,
    stdout,
    stderr,
  } = await call.then(
    done => ({ ...done, code: 0 }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  )
  return { code, stdout, stderr }
}

async function findings(executable: Executable): Promise<Record<string, CheckedFinding>> {
  const { stdout } = await run(executable, 'doctor', '--json')
  return Object.fromEntries((JSON.parse(stdout) as CheckedFinding[]).map(found => [found.check, found]))
}

/** All files in the folders, except Node's compile cache. */
async function madeFiles({ folder }: Executable): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).filter(name => !name.startsWith('compiled'))
}

describe('service-webwrapper doctor', () => {
  test.skipIf(!hasBrowser)('without faults ends with 0, prints a table, and creates nothing', async () => {
    await using executable = await wrapperExecutable()
    const before = await madeFiles(executable)
    const { code, stdout, stderr } = await run(executable, 'doctor')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ok +service +http:\/\/127\.0\.0\.1:\d+ answers with status 200/m)
    expect(stdout).not.toContain('\u001b')
    expect(await madeFiles(executable)).toEqual(before)
  })

  test('with a fault ends with 1 and reports every check', async () => {
    await using executable = await wrapperExecutable()
    await writeFile(join(executable.root, defaultBrand.configFile), '<configuration>')
    const { code } = await run(executable, 'doctor')
    expect(code).toBe(1)
    const found = await findings(executable)
    expect(Object.keys(found)).toEqual([
      'system',
      'native',
      'application-root',
      'user-folder',
      'settings',
      'engine',
      'display',
      'service',
      'update-site',
      'providers',
      'tray',
      'wrapper',
      'log',
    ])
    expect(found['application-root']).toMatchObject({ status: 'problem', remedy: expect.any(String) })
  })
})

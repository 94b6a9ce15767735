import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const scripts = fileURLToPath(new URL('../scripts/', import.meta.url))

/** A checkout with the scripts only, on a machine with nothing but an `apt-get` that records its calls. */
async function makeCheckout() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'service-link-packages-'))
  const path = (...names: string[]) => join(folder.path, ...names)
  await mkdir(path('scripts'))
  await mkdir(path('bin'))
  for (const name of ['test.mjs', 'run-child.mjs', 'memory-folder.mjs', 'system-packages.mjs'])
    await copyFile(join(scripts, name), path('scripts', name))
  const calls = path('apt-calls')
  await writeProgram(
    path('bin', 'apt-get'),
    `echo "$@" >> '${calls}'
{ echo "$PGSYSCONFDIR"; while read -r line; do echo "$line"; done < "$PGSYSCONFDIR/createcluster.conf"; } > '${path('cluster')}'`,
  )
  await writeProgram(path('bin', 'vitest'), `echo "vitest runs: $@"`)
  const env = { PATH: path('bin'), HOME: folder.path, TERM: 'dumb' }
  return {
    path,
    /** The packages of each install call. */
    async installed(): Promise<string[]> {
      const lines = (await readFile(calls, 'utf8').catch(() => '')).trim().split('\n')
      return lines.filter(line => line.includes(' install '))
    },
    /** Runs `npm test` as in a container. */
    run: (args: readonly string[] = [], more = {}) =>
      runProgram(process.execPath, ['scripts/test.mjs', ...args], folder.path, { ...env, ...more }),
    /** Runs it on a separate terminal and types this. */
    runOnTerminal(typed: string, args: readonly string[] = []) {
      const command = [process.execPath, 'scripts/test.mjs', ...args].join(' ')
      const shell = { ...env, SHELL: '/bin/sh' }
      return runProgram('/usr/bin/script', ['-qec', command, '/dev/null'], folder.path, shell, typed)
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

async function writeProgram(path: string, lines: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${lines}\n`)
  await chmod(path, 0o755)
}

/** Runs a program to its end and returns its output. */
async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  typed = '',
): Promise<string> {
  const child = spawn(program, args, { cwd, env })
  child.stdin.end(typed)
  const [printed, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close', { signal: AbortSignal.timeout(60_000) }),
  ])
  return printed + errors
}

const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0

describe.skipIf(!isRootOnLinux)('npm test on a machine with missing packages', () => {
  test('without a terminal it installs them and says so', async () => {
    await using checkout = await makeCheckout()
    const printed = await checkout.run()
    expect(printed).toMatch(/Installing from the system's packages: .*xvfb.*fonts-dejavu-core/)
    expect(printed).toContain('vitest runs: run --config vitest.workspace.ts')
    expect(await checkout.installed()).toHaveLength(1)
  })

  test('on a terminal it asks once and respects a no', async () => {
    await using checkout = await makeCheckout()
    const first = await checkout.runOnTerminal('n\n')
    expect(first).toMatch(/xvfb[^?]*Install them now\?/)
    expect(first).toContain('Not installed here:')
    expect(first).toContain('vitest runs:')
    const second = await checkout.runOnTerminal('')
    expect(second).not.toContain('Install them now?')
    expect(second).toContain('.data/system-packages')
    expect(await checkout.run()).toContain('Not installed here:')
    expect(await checkout.installed()).toEqual([])
  })

  test('on a terminal it asks once and respects a yes', async () => {
    await using checkout = await makeCheckout()
    expect(await checkout.runOnTerminal('y\n')).toContain('Installing from')
    const second = await checkout.runOnTerminal('')
    expect(second).not.toContain('Install them now?')
    expect(await checkout.installed()).toHaveLength(2)
  })

  test('a terminal without an answer installs nothing and is asked again', async () => {
    await using checkout = await makeCheckout()
    for (let count = 0; count < 2; count++)
      expect(await checkout.runOnTerminal('')).toContain('Install them now?')
    expect(await checkout.installed()).toEqual([])
  })

  test('with --no-install it neither asks nor installs, and the tests do not see the option', async () => {
    await using checkout = await makeCheckout()
    const args = ['--no-install', '--project', 'pipe-client']
    for (const printed of [await checkout.run(args), await checkout.runOnTerminal('y\n', args)]) {
      expect(printed).not.toContain('Install them now?')
      expect(printed).toContain('Not installed here:')
      expect(printed).toContain('vitest runs: run --config vitest.workspace.ts --project pipe-client')
    }
    expect(await checkout.installed()).toEqual([])
  })

  test('the package of PostgreSQL starts no server, by our settings outside /etc', async () => {
    await using checkout = await makeCheckout()
    await checkout.run()
    const [folder = '', settings] = (await readFile(checkout.path('cluster'), 'utf8')).trim().split('\n')
    expect(settings).toBe("start_conf = 'disabled'")
    expect(folder.startsWith('/etc')).toBe(false)
    expect(existsSync(folder)).toBe(false)
  })
})

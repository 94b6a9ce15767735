import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { uniqueBrand } from './_classic-server.ts'
import { runServicePipeProcess, servicePipeArguments } from './_service-pipe.ts'

/** Runs it on a pseudo-terminal, for all of its streams, and returns what is read there. */
function runOnTerminal(environment: Readonly<Record<string, string | undefined>>): string {
  const program =
    'import pty, sys\nsys.exit(pty.spawn(sys.argv[1:], lambda fd: __import__("os").read(fd, 1024)) >> 8)'
  const argv = ['-c', program, process.execPath, ...servicePipeArguments, 'selectpersn']
  const { status, stdout } = spawnSync('python3', argv, {
    encoding: 'utf8',
    env: { ...process.env, TERM: 'xterm', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(status).toBe(2)
  return stdout
}

const hasTerminal =
  process.platform !== 'win32' && spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0
// Python has no pseudo-terminals on Windows.
const needsTerminal = Boolean(process.env.CI) && process.platform !== 'win32'

describe.runIf(hasTerminal || needsTerminal)('on a terminal', () => {
  const red = '\u001b[31mservice-pipe:\u001b[0m'

  test('colour shows what it is about', () => {
    expect(runOnTerminal({ NO_COLOR: undefined })).toContain(`${red} There is no such command.`)
  })

  test.each([{ NO_COLOR: '1' }, { NO_COLOR: undefined, TERM: 'dumb' }])('none with %j', environment => {
    const text = runOnTerminal(environment)
    expect(text).toContain('service-pipe: There is no such command.')
    expect(text).not.toContain('\u001b')
  })
})

test.runIf(existsSync('/dev/full'))('4 when its answer cannot be written', () => {
  const full = openSync('/dev/full', 'w')
  try {
    const argv = [...servicePipeArguments, 'list', '--pipe-prefix', uniqueBrand().pipePrefix]
    expect(spawnSync(process.execPath, argv, { stdio: ['ignore', full, 'inherit'] }).status).toBe(4)
  } finally {
    closeSync(full)
  }
})

describe('what a Tab key waits for', () => {
  const loadedBy = async (...args: string[]): Promise<string[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'service-pipe-modules-'))
    try {
      const list = join(folder, 'modules.json')
      const preload = `--import=${new URL('_list-modules.ts', import.meta.url)}`
      const environment = { MODULE_LIST: list, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${preload}` }
      expect(await runServicePipeProcess(args, { environment })).toMatchObject({ exitCode: 0 })
      return JSON.parse(readFileSync(list, 'utf8'))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test('list loads neither the schemas of the commands nor the client', async () => {
    const files = await loadedBy('list')
    const isHeavy = (url: string) => /\/zod\/|\/command-table|\/connect-wrapper|\/src\/session\//.test(url)
    expect(files.filter(isHeavy)).toEqual([])
    expect(files.some(url => url.endsWith('/find-wrappers.ts'))).toBe(true)
    expect((await loadedBy('--help')).some(isHeavy)).toBe(true)
  })
})

import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { reply, startServer, withVersion } from '../support/classic-server.ts'
import { uniqueBrand } from '../support/pipe-places.ts'
import { servicePipeArguments, startServicePipeProcess } from '../support/service-pipe.ts'

/** Runs a program on a pseudo-terminal with all of its streams, and returns the output. */
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
  const red = '\u001b[31mservice-pipe:\u001b[39m'

  test('colour marks the kinds of text', () => {
    expect(runOnTerminal({ NO_COLOR: undefined })).toContain(`${red} There is no such subcommand.`)
  })

  test.each([{ NO_COLOR: '1' }, { NO_COLOR: undefined, TERM: 'dumb' }])('no colour with %j', environment => {
    const text = runOnTerminal(environment)
    expect(text).toContain('service-pipe: There is no such subcommand.')
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

test('a closed reader is no failure', async () => {
  await using server = await startServer(
    withVersion(socket => reply(socket, `[{"id":1,"x":"${'x'.repeat(2_000_000)}"}]`)),
  )
  const { child, finished } = startServicePipeProcess(['getlistofusers'], { prefix: server.brand.pipePrefix })
  child.stdout?.destroy()
  expect(await finished).toMatchObject({ exitCode: 0, stderr: '' })
})

test('a real process: one JSON value on standard output, and its exit code', async () => {
  await using server = await startServer(withVersion(socket => socket.end()))
  expect(await startServicePipeProcess(['version'], { prefix: server.brand.pipePrefix }).finished).toEqual({
    exitCode: 0,
    stdout: '"3.0.0.0"\n',
    stderr: '',
  })
  expect(await startServicePipeProcess(['version']).finished).toMatchObject({ exitCode: 3, stdout: '' })
})

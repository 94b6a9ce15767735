import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { processTerminal } from '@service-link/terminal'
import { afterEach, expect, test, vi } from 'vitest'
import { reply, startServer, withVersion } from '../support/classic-server.ts'
import { uniqueBrand } from '../support/pipe-places.ts'
import { servicePipeArguments, startServicePipeProcess } from '../support/service-pipe.ts'

const { isTTY } = process.stderr
afterEach(() => {
  process.stderr.isTTY = isTTY
  vi.unstubAllEnvs()
})

test.each([
  [true, { TERM: 'xterm', NO_COLOR: undefined }, true],
  [true, { TERM: 'xterm', NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb', NO_COLOR: undefined }, false],
  [false, { TERM: 'xterm', NO_COLOR: undefined }, false],
])('on a terminal (%s) with %j there is color: %s', (isWatched, environment, hasColor) => {
  process.stderr.isTTY = isWatched
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  expect(processTerminal(4)).toMatchObject({ isWatched, hasColor })
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

test('a real process prints one JSON value; a reader that closes is no failure', async () => {
  const long = `[{"id":1,"x":"${'x'.repeat(2_000_000)}"}]`
  await using server = await startServer(withVersion(socket => reply(socket, long)))
  const prefix = server.brand.pipePrefix
  const version = startServicePipeProcess(['version'], { prefix }).finished
  const list = startServicePipeProcess(['getlistofusers'], { prefix })
  list.child.stdout?.destroy()
  expect(await version).toEqual({ exitCode: 0, stdout: '"3.0.0.0"\n', stderr: '' })
  expect(await list.finished).toMatchObject({ exitCode: 0, stderr: '' })
})

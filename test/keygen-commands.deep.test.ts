import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const program = [
  process.execPath,
  ...['-C', '@service-link/source', join(root, 'packages/jwt-payload/src/cli/service-payload.ts')],
]

test.skipIf(process.platform === 'win32').each([[[]], [['--secret']], [['--algorithm', 'PS256']]])(
  'the commands that keygen %j prints work as they are: the service takes the payload',
  async options => {
    const folder = await mkdtemp(join(tmpdir(), 'keygen commands-'))
    await writeFile(join(folder, 'service-payload'), `#!/bin/sh\nexec ${program.join(' ')} "$@"\n`)
    await chmod(join(folder, 'service-payload'), 0o755)
    // `npx` may have begun this run.
    const env = {
      ...process.env,
      npm_lifecycle_event: '',
      NODE_NO_WARNINGS: '1',
      PATH: `${folder}:${process.env.PATH}`,
    }
    const keygen = run('service-payload', ['keygen', '--name', 'Journal', ...options], { cwd: folder, env })
    const { stderr } = await keygen
    const [serve = '', sign = '', open = ''] = stderr.match(/^ {2}(?:PARTNERS_FILE=|echo ).*/gm) ?? []
    expect(open).toContain(' | service-payload open --key ')
    // Another port than the printed one, which may be taken.
    const places = { PORT: '0', PUBLIC_URL: 'http://localhost:4280', SERVICE_DATA: join(folder, 'data') }
    const service = spawn('sh', ['-c', serve], { cwd: root, env: { ...env, ...places }, detached: true })
    const ended = once(service, 'exit')
    try {
      let port = ''
      for await (const line of createInterface(service.stderr)) {
        port = /^Listening: .*?:(\d+)/.exec(line)?.[1] ?? ''
        if (port) break
      }
      const { stdout: payload } = await run('sh', ['-c', sign], { cwd: folder, env })
      const body = new URLSearchParams({ payload: payload.trim() })
      const answer = await fetch(`http://127.0.0.1:${port}/partner/payload`, { method: 'POST', body })
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Journal')])
    } finally {
      process.kill(-(service.pid ?? 0), 'SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    }
  },
)

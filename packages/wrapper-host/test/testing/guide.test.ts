import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { request } from '../support/pipe.ts'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(new URL('../../../../docs/guides/test-with-a-wrapper.md', import.meta.url), 'utf8')
const [, program = ''] = /```ts\n(\/\/ test-wrapper\.mjs\n.*?)```/s.exec(guide) ?? []

/** Starts the guide's program, which prints its wrapper's place. Killed after a failing test. */
async function startProgram() {
  const child = spawn(
    process.execPath,
    ['--conditions=@service-link/source', '--input-type=module', '--eval', program],
    { cwd: packageFolder, stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), exited])
  const { pid, pipe } = JSON.parse(String(line))
  return { child, exited, pid, pipe, [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

test('the guide’s program is a wrapper for clients of any language, until its input ends', async () => {
  expect(program).not.toBe('')
  using started = await startProgram()
  expect(started.pid).toBe(started.child.pid)
  const [reply = ''] = await request(started.pipe, { Method: 'getlistofusers', Args: { customid: '4711' } })
  expect(JSON.parse(reply)).toMatchObject([{ id: 17, firstname: 'Kari' }])
  started.child.stdin.end()
  expect(await started.exited).toEqual([0, null])
})

test('the guide’s program ends when its wrapper does [4.5-close]', async () => {
  using started = await startProgram()
  await request(started.pipe, { Method: 'close' })
  expect(await started.exited).toEqual([0, null])
})

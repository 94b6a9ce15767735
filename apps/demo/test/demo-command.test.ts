import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Runs `npm run demo` without npm. */
async function run(...args: string[]) {
  const child = spawn(process.execPath, ['-C', '@service-link/source', main, ...args], {
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, output, errors }
}

describe('npm run demo', () => {
  test.each([
    [['--bogus'], "Unknown option '--bogus'; --help names what there is.\n"],
    [['4280'], /^Unexpected argument '4280'.*; --help names what there is\.\n$/],
    [['--service-port=abc'], '--service-port takes a number from 0 to 65535.\n'],
    [['--check', '--service-port=65536'], '--service-port takes a number from 0 to 65535.\n'],
  ])('%j is refused in one sentence before anything starts', async (args, sentence) => {
    const { code, output, errors } = await run(...args)
    expect(errors).toMatch(sentence)
    expect(errors.trim()).not.toContain('\n')
    expect(output).toBe('')
    expect(code).toBe(2)
  })

  test('a used port is named', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    try {
      const { code, errors } = await run(
        '--no-wrapper',
        '--partner-port=0',
        '--e-id-port=0',
        '--home-port=0',
        `--service-port=${port}`,
      )
      expect(errors).toBe(
        `Port ${port} of 127.0.0.1 is taken, and another program would answer there. End it, or choose another port. The ports are --service-port, --partner-port, --e-id-port and --home-port.\n`,
      )
      expect(code).toBe(2)
    } finally {
      other.close()
    }
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Longest time that a process may take, in milliseconds. */
const timeoutMs = 30_000

/** Starts Node and tells how long it took until it had ended, in milliseconds. */
export async function startToExit(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, argv, {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: timeoutMs,
  })
  const [code] = await once(child, 'exit')
  const tookMs = performance.now() - begun
  if (code !== 0) throw new Error(`node ${argv.join(' ')} ended with ${code}.`)
  return tookMs
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { recordText } from './record.ts'
import { recordAudit } from './service.ts'

const main = fileURLToPath(new URL('../../src/service/main.ts', import.meta.url))
const recordTraffic = new URL('./record-traffic.ts', import.meta.url).href
const cheapPasswords = new URL('./cheap-passwords.ts', import.meta.url).href

/** Arguments of Node that run `npm run service` without npm, hash cheaply, and leave records for the final test. */
export const serviceArguments = [
  ...['-C', '@service-link/source'],
  ...['--import', recordTraffic, '--import', cheapPasswords],
  main,
]

/** Leaves a line of a service's standard error. The demo's own accounts are shown there on purpose, for whoever tries it. */
export function recordOutput(line: string): void {
  if (!line.startsWith('Demo account: ')) recordText('log', line)
}

/** A service in a process of its own. */
export interface ServiceProcess extends AsyncDisposable {
  /** Where it listens. */
  readonly address: string
  /** All that it has written on its standard error. */
  readonly output: readonly string[]
  /** Ends it, and waits for its end. */
  kill(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** Starts `npm run service` without npm, on a free port; resolves when it takes requests. */
export async function startProcess(environment: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const { SERVICE_DATA: dataFolder = '', DATABASE_URL: databaseUrl } = environment
  const child = spawn(process.execPath, serviceArguments, {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'trace', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
    // Where its database is down on purpose, another process of the test leaves the rows.
    await recordAudit({ dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) }).catch(
      () => undefined,
    )
    return { code: child.exitCode, signal: child.signalCode }
  }
  const output: string[] = []
  try {
    return {
      address: await readAddress(child, output),
      output,
      kill,
      async [Symbol.asyncDispose]() {
        await kill('SIGTERM')
      },
    }
  } catch (error) {
    await kill('SIGKILL')
    throw error
  }
}

/** Keeps every line, and resolves with the one that says where it listens. */
function readAddress({ stderr }: ChildProcess, output: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  if (!stderr) throw new Error('The process has no standard error.')
  createInterface({ input: stderr })
    .on('line', line => {
      output.push(line)
      recordOutput(line)
      const [, place] = /^Listening: (.+)$/.exec(line) ?? []
      if (place !== undefined) resolve(`http://${place}`)
    })
    .on('close', () => reject(new Error(`The service ended: ${output.join('\n')}`)))
  return promise
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runService } from '../../src/server/main.ts'
import { recordText } from './record.ts'
import './record-answers.ts'
import { recordAudit } from './service.ts'

const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url))
const recordAnswers = new URL('./record-answers.ts', import.meta.url).href
const cheapPasswords = new URL('./cheap-passwords.ts', import.meta.url).href

/** Arguments of Node that run `npm run service` without npm, with cheap hashing and records for the final test. */
const serviceArguments = [
  '-C',
  '@service-link/source',
  '--import',
  cheapPasswords,
  '--import',
  recordAnswers,
  main,
]

/** Keeps and records a service's standard error, but for the demo's accounts, which it shows on purpose, until it ends. */
function keepOutput() {
  const output: string[] = []
  const { promise: address, resolve, reject } = Promise.withResolvers<string>()
  // Some tests only wait for the end.
  address.catch(() => undefined)
  return {
    output,
    /** Its address; rejects when it ends without listening. */
    address,
    write(text: string) {
      output.push(text.trimEnd())
      if (!text.startsWith('Demo account: ')) recordText('log', text)
      const [, place] = /^Listening: ([^,\n]+)/m.exec(text) ?? []
      if (place !== undefined) resolve(`http://${place}`)
    },
    end: () => reject(new Error(`The service ended: ${output.join('\n')}`)),
  }
}

/** A service in a separate process. */
export interface ServiceProcess extends AsyncDisposable {
  /** Its address. */
  readonly address: string
  /** Its standard error so far. */
  readonly output: readonly string[]
  /** Ends it and waits for its exit. */
  kill(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** Starts `npm run service` without npm, on a free port; resolves when it accepts requests. */
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
    // If its database is down on purpose, another process of the test records the rows.
    await recordAudit({ dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) }).catch(
      () => undefined,
    )
    return { code: child.exitCode, signal: child.signalCode }
  }
  const { output, address, write, end } = keepOutput()
  createInterface({ input: child.stderr }).on('line', write).on('close', end)
  try {
    return {
      address: await address,
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

/** `npm run service` in this process. */
export interface ServiceRunning extends AsyncDisposable {
  /** Its address; rejects when it ends without listening. */
  readonly address: Promise<string>
  /** All that it has written on its standard error. */
  readonly output: readonly string[]
  /** Its standard output so far. */
  readonly printed: readonly string[]
  /** The exit code. */
  readonly ended: Promise<number>
  /** Ends it like a signal. */
  stop(): Promise<number>
}

/** Runs `npm run service` in this process, on a free port. */
export function runInProcess(environment: NodeJS.ProcessEnv, ...args: readonly string[]): ServiceRunning {
  const { SERVICE_DATA: dataFolder = '', DATABASE_URL: databaseUrl = '' } = environment
  const { output, address, write, end } = keepOutput()
  const printed: string[] = []
  const stop = Promise.withResolvers<void>()
  const run = async () => {
    const exitCode = await runService({
      args,
      environment: { PORT: '0', LOG_LEVEL: 'trace', ...environment },
      output: { write: text => printed.push(text) },
      errors: { write },
      untilStopped: () => stop.promise,
    })
    end()
    // A start may have failed for its database.
    if (exitCode === 0) await recordAudit({ dataFolder, ...(databaseUrl === '' ? {} : { databaseUrl }) })
    return exitCode
  }
  const ended = run()
  const stopNow = () => {
    stop.resolve()
    return ended
  }
  return {
    address,
    output,
    printed,
    ended,
    stop: stopNow,
    [Symbol.asyncDispose]: async () => void (await stopNow()),
  }
}

import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { ClosingError, issuesOf, personSchema, pipeName } from '@service-link/protocol-core'
import {
  plainLine,
  printJson,
  readText,
  type Terminal,
  tellFailure,
  UsageError,
} from '@service-link/terminal'
import type * as z from 'zod/mini'
import { createMemoryWebApp, type MemoryWebAppOptions, memoryDataSchema } from '../testing/memory-web-app.ts'
import { startTestWrapper, type TestWrapper } from '../testing/start-test-wrapper.ts'
import type { ProgramIdentity } from './program-identity.ts'

export interface TestOptions {
  readonly signedOut: boolean
  /** JSON file with the persons and workouts of the web app. */
  readonly data?: string
  /** Keeps the two folders of the wrapper. */
  readonly folder?: string
}

/** Each command of standard input. It returns the value for the line that answers it. */
const commands: Readonly<
  Record<string, (wrapper: TestWrapper, rest: string, ending: AbortSignal) => unknown>
> = {
  signin: wrapper => wrapper.signIn(),
  signout: wrapper => wrapper.signOut(),
  select: (wrapper, json) => wrapper.selectInPage(parse(personSchema, json, 'The person')),
  calls: wrapper => wrapper.calls,
  next: (wrapper, _rest, signal) => wrapper.nextCall({ signal }),
  events: wrapper => wrapper.pageEvents,
  close: wrapper => wrapper.close(),
}

/** Runs a test wrapper until its standard input, the wrapper or a signal ends it. */
export async function runTestSubcommand(
  { signedOut, data, folder }: TestOptions,
  { brand, version, programName }: ProgramIdentity,
  terminal: Terminal,
): Promise<0 | 1> {
  const signal = terminal.interruption()
  const tell = (failure: Failure) =>
    tellFailure(terminal, programName, {
      ...failure,
      sentence: failure.error,
      advice: undefined,
      docsUrl: failure.docs,
    })
  const webApp = createMemoryWebApp(data === undefined ? {} : await readData(data, terminal))
  const ignored = ['SERVICE_WRAPPER_DATA', 'SERVICE_WRAPPER_ROOT'].filter(name => process.env[name])
  if (ignored.length > 0 && !folder)
    terminal.tell(
      `${programName}: A wrapper for tests has folders of its own and ignores ${ignored.join(' and ')}. To name a folder for both, write --folder <folder>.\n`,
    )
  const options = { brand, version, webApp, isSignedIn: !signedOut, signal }
  await using wrapper = await startTestWrapper({ ...options, ...(folder && { folders: foldersIn(folder) }) })
  const { pid, pipeAddress: address, folders, notices } = wrapper
  for (const sentence of notices) terminal.tell(`${programName}: ${plainLine(sentence)}\n`)
  const place = address === undefined ? {} : { pipe: pipeName(wrapper.brand, pid), address }
  await printJson({ pid, ...place, ...folders }, terminal)
  const lines = createInterface({ input: terminal.stdin })
  const end = () => lines.close()
  signal.addEventListener('abort', end, { once: true })
  const closed = wrapper.closed.finally(end).then(
    () => 0 as const,
    error => {
      tell(failureOf(error))
      return 1 as const
    },
  )
  // A `next` that waits would hold up the end.
  const ending = new AbortController()
  lines.once('close', () => ending.abort(new ClosingError('Standard input has ended.')))
  for await (const line of lines) {
    if (line.trim() === '') continue
    const answer = await answerLine(wrapper, line.trim(), ending.signal)
    if ('error' in answer) tell(answer)
    await printJson('value' in answer ? (answer.value ?? {}) : answer, terminal)
  }
  await wrapper.close()
  return closed
}

const foldersIn = (folder: string) => ({
  applicationRoot: resolve(folder, 'root'),
  userFolder: resolve(folder, 'user'),
})

interface Failure {
  readonly error: string
  readonly code: string
  readonly docs: string | undefined
}

async function answerLine(
  wrapper: TestWrapper,
  line: string,
  ending: AbortSignal,
): Promise<{ readonly value: unknown } | Failure> {
  const [name = '', rest = ''] = line.split(/\s+(.*)/s, 2)
  try {
    const run = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!run) throw new UsageError(`There is no such command. Known: ${Object.keys(commands).join(', ')}.`)
    return { value: await run(wrapper, rest, ending) }
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): Failure {
  const { message, code, docsUrl } = Object(error)
  return { error: message, code, docs: docsUrl }
}

const maxDataBytes = 16 * 1024 * 1024

async function readData(path: string, terminal: Terminal): Promise<MemoryWebAppOptions> {
  const file = 'The file after --data'
  const source = { path, file, content: 'users and workouts as JSON', maxBytes: maxDataBytes }
  return parse(memoryDataSchema, await readText(source, terminal), file)
}

/** @throws {UsageError} naming the paths of what is wrong, never a value */
function parse<Schema extends z.ZodMiniType>(schema: Schema, json: string, what: string): z.output<Schema> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new UsageError(`${what} is no JSON.`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = issuesOf(parsed.error).map(({ path, problem }) => `${path} ${problem}`.trim())
  throw new UsageError(`${what} is not right: ${problems.join('; ')}.`)
}

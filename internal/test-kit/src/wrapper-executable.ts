import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { link, mkdir, readdir, rm, watch, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { defaultBrand, unixPipePrefix } from '@service-link/protocol-core'
import { bundleProgram } from './bundle-program.ts'
import { pageModules } from './page-modules.ts'
import { temporaryFolder } from './temporary-folder.ts'

const executable = new URL('../../../packages/wrapper-host/src/cli/service-webwrapper.ts', import.meta.url)

/** The web app reloads itself for this workout. */
export const reloadingWorkout = 424_242

/** A web app that is always signed in, and reports each call to its server. */
const webApp = `<!doctype html><title>Web app of a test</title><script type="module">
  import { connectHost } from '/page/index.ts'
  let users = 0
  const tell = (name, value) => fetch('/calls', { method: 'POST', body: JSON.stringify({ name, value }) })
  const host = connectHost({
    async selectPerson(person) {
      await tell('selectPerson', person)
      return { status: 'created', userId: ++users, customId: person.customId ?? '' }
    },
    queryExercises: value => tell('queryExercises', value),
    queryWorkouts: value => tell('queryWorkouts', value),
    openWorkout(value) {
      if (value.id === ${reloadingWorkout}) setTimeout(() => location.reload())
      return tell('openWorkout', value)
    },
    getWorkoutsForClient: async () => [],
    getListOfUsers: async () => [],
    setCustomId: value => tell('setCustomId', value),
  })
  host.signedIn()
</script>`

/** One call from the host to the page. */
export interface PageCall {
  readonly name: string
  readonly value: Readonly<Record<string, unknown>>
}

/** The end of a start. */
export interface LaunchEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly errors: string
}

/** A start of the executable. */
export interface StartedExecutable {
  readonly child: ChildProcess
  /** Resolves at the end of the process, or when it cannot start. */
  readonly ended: Promise<LaunchEnd>
  /** Resolves when the process is the wrapper. Rejects when it cannot start. */
  readonly isWrapper: Promise<void>
  /** Its standard output so far. */
  readonly output: () => string
}

/** Starts the executable, or a program that becomes it. */
export function startExecutable(
  file: string,
  argv: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>,
): StartedExecutable {
  const child = spawn(file, argv, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  let errors = ''
  let output = ''
  const isWrapper = Promise.withResolvers<void>()
  child.stdin.on('error', () => undefined)
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
    if (errors.includes('The wrapper runs.')) isWrapper.resolve()
  })
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const ended = once(child, 'close').then(
    ([exitCode]) => ({ exitCode, errors }),
    (reason: Error) => {
      isWrapper.reject(reason)
      return { exitCode: null, errors: reason.message }
    },
  )
  // Avoids an unhandled rejection.
  isWrapper.promise.catch(() => undefined)
  return { child, ended, isWrapper: isWrapper.promise, output: () => output }
}

/** Options of {@link wrapperExecutable}. */
export interface ExecutableOptions {
  /** The setting `BrowserEngine`. Default: no window. */
  readonly engine?: 'Headless' | 'EoWebBrowser'
  /** Default: this process's. */
  readonly environment?: NodeJS.ProcessEnv
  /** File of the program. Default: the executable's. */
  readonly program?: string
  /** File of the Node that runs it. Default: this process's. */
  readonly node?: string
  /** File of a packed executable, instead of program and Node. Its folder becomes the application root, by links. */
  readonly packed?: string
  /** Whether the per-user folder is where the native launcher looks. */
  readonly isFoundByLauncher?: boolean
  /** A page in place of the web app's. */
  readonly page?: string
  /** Further script of the web app's page. */
  readonly script?: string
  /** Gets each call of the page, before the page gets the answer. */
  onCall?(call: PageCall): void
  /** Answers a call of the page. Default: without content. */
  answerCall?(call: PageCall): Promise<object>
  /** Called with the number of each load of the web app, before its answer. */
  beforeVisit?(visit: number): Promise<void>
}

/** See {@link wrapperExecutable}. */
export type WrapperExecutable = Awaited<ReturnType<typeof wrapperExecutable>>

/** Gives the files of a folder a further place. */
async function linkFiles(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const place = join(to, entry.name)
    if (!entry.isDirectory()) await link(join(from, entry.name), place)
    else {
      await mkdir(place, { mode: 0o755 })
      await linkFiles(join(from, entry.name), place)
    }
  }
}

/** Folders, a web app and starts of the real executable, until the end of the scope. */
export async function wrapperExecutable(options: ExecutableOptions = {}) {
  const folder = await temporaryFolder()
  const calls: PageCall[] = []
  const visits: string[] = []
  let heard = Promise.withResolvers<void>()
  const modules = await pageModules()
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const body = await text(request).catch(() => undefined)
      // The page was killed during its report.
      if (body === undefined) return response.destroy()
      const call: PageCall = JSON.parse(body)
      calls.push(call)
      options.onCall?.(call)
      heard.resolve()
      heard = Promise.withResolvers()
      if (!options.answerCall) return response.writeHead(204).end()
      return response.writeHead(200).end(JSON.stringify(await options.answerCall(call)))
    }
    const module = modules[request.url ?? '']
    if (typeof module === 'object')
      return response.writeHead(200, { 'content-type': module.type }).end(module.body)
    if (request.url === '/') {
      visits.push(request.headers.cookie ?? '')
      await options.beforeVisit?.(visits.length)
    }
    const head = { 'content-type': 'text/html; charset=utf-8', 'set-cookie': 'visited=1; Max-Age=3600' }
    return response
      .writeHead(200, head)
      .end(`${options.page ?? webApp}<script>${options.script ?? ''}</script>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const root = join(folder.path, 'root')
  const { packed } = options
  // A packed executable and the native launcher take no variables of this project.
  const share = join(folder.path, 'share')
  const isInShare = packed !== undefined || options.isFoundByLauncher === true
  const data = isInShare
    ? join(share, defaultBrand.vendor, defaultBrand.application)
    : join(folder.path, 'data')
  const folders = {
    ...(isInShare ? { XDG_DATA_HOME: share } : { SERVICE_WRAPPER_DATA: data }),
    ...(!packed && { SERVICE_WRAPPER_ROOT: root }),
  }
  await mkdir(root, { mode: 0o755 })
  if (packed) await linkFiles(dirname(packed), root)
  await rm(join(root, defaultBrand.configFile), { force: true })
  await writeFile(
    join(root, defaultBrand.configFile),
    `<configuration><applicationSettings><S><setting name="AppUrl"><value>http://127.0.0.1:${port}/</value></setting></S></applicationSettings>
     <userSettings><S><setting name="BrowserEngine"><value>${options.engine ?? 'Headless'}</value></setting></S></userSettings></configuration>`,
  )
  const environment = {
    ...(options.environment ?? process.env),
    ...folders,
    XDG_RUNTIME_DIR: folder.path,
    TMPDIR: folder.path,
  }
  const program = packed ? undefined : (options.program ?? (await bundleProgram(executable)))
  const children = new Set<ChildProcess>()

  return {
    calls,
    /** Cookies that came with each load of the web app, which leaves one for an hour. */
    visits,
    /** Application root with its configuration. */
    root,
    /** Per-user folder. */
    data,
    /** Working directory of the executable. */
    folder: folder.path,
    profileFolder: join(data, 'browser'),
    /** Resolves with the address of the first pipe that appears. */
    async pipeAppears(): Promise<string> {
      for await (const address of this.pipes()) return address
      throw new Error('No pipe appeared.')
    },
    /** The addresses of new pipes. A wrapper has a pipe before it has a window. */
    async *pipes(signal?: AbortSignal): AsyncGenerator<string> {
      for await (const { eventType, filename } of watch(folder.path, signal ? { signal } : {})) {
        if (eventType === 'rename' && filename?.startsWith(unixPipePrefix)) yield join(folder.path, filename)
      }
    },
    /** Resolves at a matching call of the page. */
    async called(isDone: (calls: readonly PageCall[]) => boolean) {
      while (!isDone(calls)) await heard.promise
    },
    /** The command that starts it, for tests that start and end it themselves. */
    command: (...argv: string[]) => ({
      file: packed ? join(root, basename(packed)) : (options.node ?? process.execPath),
      argv: [...(program === undefined ? [] : [program]), ...argv],
      environment,
    }),
    start(...argv: string[]): StartedExecutable {
      const { file, argv: allArgv } = this.command(...argv)
      return this.startFile(file, allArgv)
    },
    /** Starts another program in its environment. */
    startFile(file: string, argv: readonly string[]): StartedExecutable {
      const started = startExecutable(file, argv, { cwd: folder.path, env: environment })
      children.add(started.child)
      return started
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) {
        if (child.exitCode === null && child.signalCode === null) {
          const exited = once(child, 'exit')
          child.kill('SIGTERM')
          await exited
        }
      }
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await folder[Symbol.asyncDispose]()
    },
  }
}

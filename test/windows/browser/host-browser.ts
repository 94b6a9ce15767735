import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findBrowser, missingBrowser } from '../../../internal/test-kit/src/browser.ts'

/** The host's Chromium, as the browser of a wrapper for Windows. */
export interface HostBrowser extends AsyncDisposable {
  /** Environment variables for the relay, which the wrapper starts as its browser. */
  readonly variables: Readonly<Record<string, string>>
  /** The wrapper's arguments of each start. */
  readonly starts: readonly (readonly string[])[]
  /** Number of running browsers. */
  running(): number
  /** Kills the running browsers, as a crash would. */
  crash(): void
}

/**
 * Makes the relay, a program of Windows.
 *
 * @param file absolute path on the host, such as one of `msedge.exe`
 */
export async function buildRelay(file: string): Promise<void> {
  await promisify(execFile)('x86_64-w64-mingw32-gcc', [
    ...['-O1', '-Wall', '-Werror', '-mwindows', '-o', file],
    ...[fileURLToPath(new URL('relay.c', import.meta.url)), '-lws2_32', '-lshell32'],
  ])
}

/**
 * Waits for relays and starts the host's headless browser for each, with the wrapper's arguments.
 *
 * @param driveC folder of drive C on the host
 * @throws when the host has no browser
 */
export async function openHostBrowser(driveC: string): Promise<HostBrowser> {
  const executable = findBrowser()
  if (executable === undefined) throw new Error(missingBrowser)
  const word = randomBytes(16).toString('hex')
  const starts: (readonly string[])[] = []
  const browsers = new Set<ChildProcess>()
  const ends = new Set<Promise<unknown>>()

  const server = createServer(socket => {
    const greeting = new RelayGreeting()
    socket.on('error', () => undefined)
    socket.on('data', function greet(bytes: Buffer) {
      const rest = greeting.push(bytes)
      if (rest === undefined) return
      socket.off('data', greet).pause()
      const [heard, ...args] = greeting.texts
      if (heard !== word) return socket.destroy()
      starts.push(args)
      const child = startOnHost(executable, args, driveC)
      browsers.add(child)
      const ended = once(child, 'exit').finally(() => browsers.delete(child))
      ends.add(ended)
      connect(socket, child, rest)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const crash = () => browsers.forEach(kill)
  return {
    variables: { BROWSER_RELAY: `${port}:${word}` },
    starts,
    running: () => browsers.size,
    crash,
    async [Symbol.asyncDispose]() {
      server.close()
      crash()
      await Promise.allSettled(ends)
    },
  }
}

function startOnHost(executable: string, args: readonly string[], driveC: string): ChildProcess {
  const mapped = args.map(argument =>
    argument.replace(/^(--[a-z-]+-dir=)(.*)$/, (_, name, path) => name + hostPath(path, driveC)),
  )
  if (!mapped.some(argument => argument.startsWith('--headless'))) mapped.unshift('--headless=new')
  if (process.getuid?.() === 0) mapped.unshift('--no-sandbox')
  return spawn(executable, mapped, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true })
}

/** The host's path of a Windows path: on drive C, or on drive Z, which is the host. */
function hostPath(path: string, driveC: string): string {
  const folders = path.slice(2).replaceAll('\\', '/')
  return /^c:/i.test(path) ? join(driveC, folders) : folders
}

/** The browser ends with its wrapper, and the relay with the browser. */
function connect(socket: Socket, child: ChildProcess, first: Uint8Array): void {
  const commands = child.stdio[3] as Writable
  const answers = child.stdio[4] as Readable
  for (const stream of [commands, answers]) stream.on('error', () => undefined)
  commands.write(first)
  socket.pipe(commands)
  answers.pipe(socket, { end: false })
  socket.on('close', () => kill(child))
  child.once('exit', code => (code === 0 ? socket.end() : socket.resetAndDestroy()))
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process has ended already.
  }
}

/** The greeting of a relay: zero-terminated texts, the last one empty. */
class RelayGreeting {
  #bytes = Buffer.alloc(0)

  /** The texts so far. */
  readonly texts: string[] = []

  /** Takes a chunk. @returns the bytes after the greeting, once it is complete */
  push(bytes: Uint8Array): Uint8Array | undefined {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    for (;;) {
      const end = this.#bytes.indexOf(0)
      if (end < 0) return undefined
      const text = this.#bytes.subarray(0, end).toString('utf8')
      this.#bytes = this.#bytes.subarray(end + 1)
      if (text === '') return this.#bytes
      this.texts.push(text)
    }
  }
}

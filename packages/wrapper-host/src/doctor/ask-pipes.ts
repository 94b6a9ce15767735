import { lstat, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import {
  type Brand,
  encodeFrame,
  FrameDecoder,
  pidOfPipe,
  pipeAddress,
  readClassicReply,
  unixPipeFolder,
  unixPipePrefix,
  writeClassicRequest,
} from '@service-link/protocol-core'
import { askProof, type ReadKey } from './ask-proof.ts'

/**
 * A pipe with the name of a wrapper's, and how it answered: `answers`, as a wrapper does; `silent`, something listens and does
 * not, or not when asked for a proof; `abandoned`, nothing listens; `foreign`, another user's; `unproven`, it answers, and not as this
 * user's wrapper does.
 */
export interface AskedPipe {
  readonly pid: number
  readonly state: 'answers' | 'silent' | 'abandoned' | 'foreign' | 'unproven'
  /** What it answered to `version`. */
  readonly version?: string
}

/** Longest wait for the answer of one pipe, in milliseconds. */
const answerTimeoutMs = 4000

/** A reply with a version is far shorter. */
const maxFrameBytes = 4096

/**
 * Finds the pipes of a brand's wrappers and asks each for its version, at the same time. Ordered by process id.
 *
 * @param readKey reads the key by which wrappers prove whose they are; given where the operating system does not tell
 * @returns nothing when the pipes of the machine cannot be listed
 */
export async function askPipes(
  brand: Brand,
  environment: NodeJS.ProcessEnv,
  readKey?: ReadKey,
): Promise<readonly AskedPipe[] | undefined> {
  const folder = process.platform === 'win32' ? '\\\\.\\pipe\\' : unixPipeFolder(environment)
  const names = await readdir(folder).catch(() => undefined)
  if (!names) return undefined
  const pids = new Set<number>()
  for (const name of names) {
    const pid =
      process.platform === 'win32' || name.startsWith(unixPipePrefix) ? pidOfPipe(brand, name) : undefined
    if (pid !== undefined) pids.add(pid)
  }
  return Promise.all(
    [...pids]
      .sort((a, b) => a - b)
      .map(async pid => {
        const address = pipeAddress(brand, pid, process.platform, folder)
        const asked = { pid, ...(await askPipe(address)) }
        return asked.state === 'answers' && readKey && hasKey(readKey)
          ? provenPipe(asked, address, readKey)
          : asked
      }),
  )
}

async function provenPipe(asked: AskedPipe, address: string, readKey: ReadKey): Promise<AskedPipe> {
  const outcome = await askProof(address, asked.pid, readKey)
  if (outcome === 'proven') return asked
  return { pid: asked.pid, state: outcome === 'wrong' ? 'unproven' : 'silent' }
}

/** One that cannot be read at this moment is one, too. */
function hasKey(readKey: ReadKey): boolean {
  try {
    return readKey() !== undefined
  } catch {
    return true
  }
}

async function askPipe(address: string): Promise<Omit<AskedPipe, 'pid'>> {
  if (process.platform !== 'win32') {
    const found = await lstat(address).catch(() => undefined)
    if (!found) return { state: 'abandoned' }
    if (!found.isSocket() || found.uid !== process.getuid?.()) return { state: 'foreign' }
  }
  return new Promise(resolve => {
    const socket = connect(address)
    const decoder = new FrameDecoder({ maxFrameBytes })
    let state: AskedPipe['state'] = 'abandoned'
    const timer = setTimeout(() => finish({ state: 'silent' }), answerTimeoutMs)

    function finish(answer: Omit<AskedPipe, 'pid'>): void {
      clearTimeout(timer)
      resolve(answer)
      socket.destroy()
    }

    socket.on('connect', () => {
      // Windows lets everybody read from a pipe, and only its user write to it.
      if (!socket.writable) return finish({ state: 'foreign' })
      state = 'silent'
      socket.write(encodeFrame(writeClassicRequest('version')))
    })
    socket.on('data', (chunk: Uint8Array) => {
      try {
        const [body] = decoder.push(chunk)
        if (!body) return
        const outcome = readClassicReply('version', body)
        if (outcome.isFailure || !/^\d+(\.\d+){3}$/.test(outcome.result)) finish({ state: 'silent' })
        else finish({ state: 'answers', version: outcome.result })
      } catch {
        finish({ state: 'silent' })
      }
    })
    socket.on('error', error => {
      const isDenied = 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
      finish({ state: isDenied ? 'foreign' : state })
    })
    socket.on('close', () => finish({ state }))
  })
}

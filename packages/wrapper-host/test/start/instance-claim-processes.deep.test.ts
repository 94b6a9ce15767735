import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { hasLauncher, placeLauncher, placeNode } from '../support/native-launcher.ts'

const isWindows = process.platform === 'win32'

/** Number of concurrent first launches. In Wine each start of Node takes a second. */
const count = isWindows ? 5 : 20

/** A storm of launches: number, and kills of the wrapper between them. */
const storm = (by: string) => {
  if (by === 'Node') return isWindows ? { launches: 10, kills: 1 } : { launches: 20, kills: 2 }
  return { launches: 60, kills: 2 }
}
const workers = 5

const limit = { timeout: 60_000, interval: 20 }

const program = fileURLToPath(new URL('../support/instance-process.ts', import.meta.url))
const application = 'Test.Wrapper'

/** The programs that hand launches over. */
const programs = hasLauncher ? (['Node', 'the native launcher'] as const) : (['Node'] as const)

/** What became of a process. The native launcher does not tell who accepted its launch. */
interface Outcome {
  readonly role: string
  readonly pid?: number
}

/** Processes that share one instance, ended with the scope. */
async function instance(by: (typeof programs)[number] = 'Node') {
  const folder = await temporaryFolder()
  const takenFile = join(folder.path, 'taken')
  // Where a launcher looks: its brand decides the rest of the path.
  const userFolder = join(folder.path, 'Service', application)
  await mkdir(userFolder, { recursive: true, mode: 0o700 })
  const data = { XDG_DATA_HOME: folder.path, LOCALAPPDATA: folder.path }
  const shared = { ...process.env, ...data, XDG_RUNTIME_DIR: undefined }
  const processes = new Set<ChildProcess>()
  const wrappers = new Set<number>()
  if (by !== 'Node') await placeNode(folder.path, application)
  const file = by === 'Node' ? process.execPath : await placeLauncher(folder.path, application)
  return {
    async start(
      id: string,
      environment: NodeJS.ProcessEnv = { XDG_RUNTIME_DIR: folder.path },
      waits = false,
    ): Promise<Outcome> {
      const manner = waits ? 'waits' : 'leaves'
      const argv = ['-C', '@service-link/source', program, userFolder, takenFile, manner, id]
      const child = spawn(file, argv, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...shared, ...environment },
      })
      processes.add(child)
      let errors = ''
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        errors += chunk
      })
      const ended = once(child, 'close').then(([code]) =>
        code === 0 ? 'accepted' : (/ERR_[A-Z_]+/.exec(errors)?.[0] ?? `failed: ${code} ${errors}`),
      )
      const said = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
      const [role = '', pid] = (await Promise.race([said, ended])).split(' ')
      if (role === 'wrapper') wrappers.add(Number(pid))
      return { role, ...(pid === undefined ? {} : { pid: Number(pid) }) }
    },
    async taken() {
      const lines = (await readFile(takenFile, 'utf8')).trim().split('\n')
      return lines.map(line => line.split(' ')).map(([pid, id]) => ({ pid: Number(pid), id }))
    },
    async [Symbol.asyncDispose]() {
      wrappers.forEach(kill)
      for (const child of processes) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const exited = once(child, 'exit')
        child.kill('SIGKILL')
        await exited
      }
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** @returns whether the process was there */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

describe.each(programs)('claimInstance among processes of %s', by => {
  /** Expects that one of the processes is the wrapper, and has accepted the launches of the others. */
  const expectOneWrapper = (outcomes: readonly Outcome[]) => {
    const wrapper = outcomes.find(({ role }) => role === 'wrapper')
    const tellers = by === 'Node' ? [wrapper?.pid] : [wrapper?.pid, undefined]
    const isAccepted = ({ role, pid }: Outcome) => role === 'accepted' && tellers.includes(pid)
    expect(outcomes.filter(each => !isAccepted(each))).toEqual([wrapper])
    return wrapper?.pid
  }

  test('[1-single-instance] of many concurrent first launches one is the wrapper, and each launch is taken once', async () => {
    await using shared = await instance(by)
    const ids = Array.from({ length: count }, () => randomUUID())
    const outcomes = await Promise.all(ids.map(id => shared.start(id)))
    const wrapper = expectOneWrapper(outcomes)
    await expect.poll(() => shared.taken(), limit).toHaveLength(count)
    const taken = await shared.taken()
    expect(taken.map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect(new Set(taken.map(({ pid }) => pid))).toEqual(new Set([wrapper]))
  }, 240_000)

  test('[1-single-instance] with killed wrappers no launch runs twice, and none that ended well is lost', async () => {
    await using shared = await instance(by)
    const { launches, kills } = storm(by)
    const killed = new Set<number>()
    const ended: (Outcome & { readonly id: string; readonly waits: boolean; readonly after: number })[] = []
    let wrapper: number | undefined
    const launch = async (waits: boolean) => {
      const id = randomUUID()
      const after = killed.size
      const outcome = await shared.start(id, {}, waits)
      ended.push({ id, waits, after, ...outcome })
      if (outcome.role === 'wrapper') {
        // The earlier wrapper has ended, otherwise this process could not be one.
        if (wrapper !== undefined) expect(killed).toContain(wrapper)
        wrapper = outcome.pid
      }
      const isDue = ended.length > (launches / (kills + 1)) * (killed.size + 1) && killed.size < kills
      if (isDue && wrapper !== undefined && !killed.has(wrapper) && kill(wrapper)) killed.add(wrapper)
    }
    const work = async () => {
      for (let turn = 0; turn < launches / workers; turn++) await launch(turn % 2 === 1)
    }
    await Promise.all(Array.from({ length: workers }, work))
    await launch(false)
    expect(killed.size).toBe(kills)
    const failed = ended.filter(({ role }) => !['wrapper', 'accepted', 'completed'].includes(role))
    expect(failed.filter(({ role, waits }) => !(waits && role === 'ERR_HAND_OFF_LOST'))).toEqual([])
    // A killed wrapper loses launches that it accepted and nobody waited for.
    const stayed = ended.filter(
      each =>
        !failed.includes(each) &&
        (each.waits ||
          each.role === 'wrapper' ||
          each.after === kills ||
          (each.pid !== undefined && !killed.has(each.pid))),
    )
    await expect
      .poll(async () => (await shared.taken()).map(({ id }) => id), limit)
      .toEqual(expect.arrayContaining(stayed.map(({ id }) => id)))
    const taken = (await shared.taken()).map(({ id }) => id)
    expect(new Set(taken).size).toBe(taken.length)
  }, 400_000)
})

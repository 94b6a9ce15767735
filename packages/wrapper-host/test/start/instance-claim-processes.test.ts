import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Number of processes in a test. `launch-storm.soak.test.ts` starts many more. */
const count = 20

/** Number of processes at the same time, in the test that starts them one after another. */
const workers = 5

const limit = { timeout: 60_000, interval: 20 }

const program = fileURLToPath(new URL('../support/instance-process.ts', import.meta.url))

/** Processes that share one instance, ended with the scope. */
async function instance() {
  const folder = await temporaryFolder()
  const takenFile = join(folder.path, 'taken')
  const processes = new Set<ChildProcess>()
  return {
    start(id: string, environment: NodeJS.ProcessEnv = { XDG_RUNTIME_DIR: folder.path }) {
      const child = spawn(
        process.execPath,
        ['-C', '@service-link/source', program, folder.path, takenFile, id],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { ...process.env, XDG_RUNTIME_DIR: undefined, ...environment },
        },
      )
      processes.add(child)
      const said = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
      return { child, said }
    },
    async taken() {
      const lines = (await readFile(takenFile, 'utf8')).trim().split('\n')
      return lines.map(line => line.split(' ')).map(([pid, id]) => ({ pid: Number(pid), id }))
    },
    async [Symbol.asyncDispose]() {
      for (const child of processes) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await folder[Symbol.asyncDispose]()
    },
  }
}

describe('claimInstance among processes', () => {
  test('[1-single-instance] of many concurrent first launches one is the wrapper, and each launch is taken once', async () => {
    await using shared = await instance()
    const ids = Array.from({ length: count }, () => randomUUID())
    const processes = ids.map(id => shared.start(id))
    const said = await Promise.all(processes.map(process => process.said))
    const wrapper = processes[said.indexOf('wrapper')]?.child.pid
    expect(said.filter(line => line === 'wrapper')).toHaveLength(1)
    expect(said.filter(line => line === `accepted ${wrapper}`)).toHaveLength(count - 1)
    await expect.poll(() => shared.taken(), limit).toHaveLength(count)
    const taken = await shared.taken()
    expect(taken.map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect(new Set(taken.map(({ pid }) => pid))).toEqual(new Set([wrapper]))
  }, 240_000)

  test('[1-single-instance] with killed wrappers no launch runs twice, and none taken by a survivor is lost', async () => {
    await using shared = await instance()
    const killed = new Set<number>()
    const accepted: { readonly id: string; readonly pid: number }[] = []
    let wrapper: ReturnType<typeof shared.start> | undefined
    const work = async () => {
      for (let launch = 0; launch < count / workers; launch++) {
        const id = randomUUID()
        const started = shared.start(id)
        const said = await started.said
        if (said === 'wrapper') {
          // The earlier wrapper has ended, otherwise this process could not be one.
          if (wrapper) expect(killed).toContain(wrapper.child.pid)
          wrapper = started
        } else accepted.push({ id, pid: Number(said.replace('accepted ', '')) })
        if (launch % 2 === 1 && wrapper?.child.kill('SIGKILL')) killed.add(wrapper.child.pid ?? 0)
      }
    }
    await Promise.all(Array.from({ length: workers }, work))
    const last = randomUUID()
    const lastSaid = await shared.start(last).said
    if (lastSaid !== 'wrapper') accepted.push({ id: last, pid: Number(lastSaid.replace('accepted ', '')) })
    expect(killed.size).toBeGreaterThan(0)
    const stayed = accepted.filter(({ pid }) => !killed.has(pid)).map(({ id }) => id)
    await expect
      .poll(async () => (await shared.taken()).map(({ id }) => id), limit)
      .toEqual(expect.arrayContaining(stayed))
    const taken = (await shared.taken()).map(({ id }) => id)
    expect(new Set(taken).size).toBe(taken.length)
  }, 240_000)

  test('[1-single-instance] launches with different runtime and temporary folders share one wrapper', async () => {
    await using shared = await instance()
    await using other = await temporaryFolder()
    const environments = [
      { XDG_RUNTIME_DIR: other.path },
      {},
      { XDG_RUNTIME_DIR: '/nonexistent' },
      { TMPDIR: other.path },
    ]
    const processes = environments.map(environment => shared.start(randomUUID(), environment))
    const said = await Promise.all(processes.map(process => process.said))
    const wrapper = processes[said.indexOf('wrapper')]?.child.pid
    expect(said.sort()).toEqual([...Array.from({ length: 3 }, () => `accepted ${wrapper}`), 'wrapper'])
  }, 240_000)

  test('[1-single-instance] a killed wrapper is replaced by the next launch', async () => {
    await using shared = await instance()
    const first = shared.start(randomUUID())
    expect(await first.said).toBe('wrapper')
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const second = shared.start(randomUUID())
    expect(await second.said).toBe('wrapper')
    expect(await shared.start(randomUUID()).said).toBe(`accepted ${second.child.pid}`)
    await expect.poll(() => shared.taken(), limit).toHaveLength(3)
    const taken = await shared.taken()
    expect(taken.map(({ pid }) => pid)).toEqual([first.child.pid, second.child.pid, second.child.pid])
  })
})

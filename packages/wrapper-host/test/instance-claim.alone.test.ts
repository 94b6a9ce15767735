import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './_temporary-folder.ts'

const program = fileURLToPath(new URL('_instance-process.ts', import.meta.url))

/** Processes that share one instance, ended with the scope. */
async function instance() {
  const folder = await temporaryFolder()
  const takenFile = join(folder.path, 'taken')
  const processes = new Set<ChildProcess>()
  return {
    start(id: string) {
      const child = spawn(
        process.execPath,
        ['-C', '@service-link/source', program, folder.path, takenFile, id],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { ...process.env, XDG_RUNTIME_DIR: folder.path },
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
  test('[1-single-instance] of 50 first launches at once one is the wrapper, and each launch is taken once', async () => {
    await using shared = await instance()
    const ids = Array.from({ length: 50 }, () => randomUUID())
    const said = await Promise.all(ids.map(id => shared.start(id).said))
    expect(said.filter(line => line === 'wrapper')).toHaveLength(1)
    expect(said.filter(line => line === 'accepted')).toHaveLength(49)
    const taken = await shared.taken()
    expect(taken.map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect(new Set(taken.map(({ pid }) => pid)).size).toBe(1)
  }, 240_000)

  test('[1-single-instance] a wrapper killed without warning is replaced by the next launch', async () => {
    await using shared = await instance()
    const first = shared.start(randomUUID())
    expect(await first.said).toBe('wrapper')
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const second = shared.start(randomUUID())
    expect(await second.said).toBe('wrapper')
    expect(await shared.start(randomUUID()).said).toBe('accepted')
    const taken = await shared.taken()
    expect(taken.map(({ pid }) => pid)).toEqual([first.child.pid, second.child.pid, second.child.pid])
  })
})

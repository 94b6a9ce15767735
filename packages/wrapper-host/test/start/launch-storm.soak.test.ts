import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readWrapperRecord, toWrapperRecord } from '@service-link/pipe-client/running'
import { defaultBrand } from '@service-link/protocol-core'
import { canListProcesses } from '@service-link/test-kit/processes'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser } from '@service-link/test-kit/test-window'
import {
  type PageCall,
  type StartedExecutable,
  wrapperExecutable,
} from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test } from 'vitest'
import { handOff } from '../../src/start/hand-off.ts'
import { placeOf } from '../support/instance-place.ts'
import { hasLauncher, placeLauncher } from '../support/native-launcher.ts'
import { seededRandom } from '../support/seeded-random.ts'

const byArguments = `provider=${defaultBrand.providers.arguments}`
const workers = 20
const launchesOfWorker = 50
const kills = 10
/** Most launches of a worker, for a machine that hands over faster than the wrapper can be killed. */
const mostOfWorker = 10 * launchesOfWorker

if (!canListProcesses) console.warn('The storm of launches is skipped: it looks processes up in /proc.')

/** Errors of a process whose wrapper was killed. */
const reasons = /\(ERR_(HAND_OFF_LOST|HAND_OFF_TIMEOUT|INSTANCE_BUSY|CLOSING|ENGINE)\)\n$/

interface Launched extends StartedExecutable {
  readonly text: string
  readonly waits: boolean
  /** Whether the wrapper of this launch stays alive. */
  readonly isAfterLastKill: boolean
}

/** Puts the native launcher into a folder, beside an executable that is the one of this package. */
async function placeLauncherHere(folder: string): Promise<string> {
  const source = fileURLToPath(new URL('../../src/cli/service-webwrapper.ts', import.meta.url))
  const call = [process.execPath, '-C', '@service-link/source', source].map(word => `'${word}'`).join(' ')
  const file = join(folder, defaultBrand.application)
  await writeFile(file, `#!/bin/sh\nexec ${call} "$@"\n`, { mode: 0o755 })
  return placeLauncher(folder, defaultBrand.application)
}

describe.skipIf(!hasBrowser)('many launches', () => {
  test.skipIf(!canListProcesses)(
    '[1-single-instance] at least 500 of the executable and 500 of the native launcher, 20 at a time, the wrapper killed ten times: each is taken once, or its process fails with a reason',
    async () => {
      await using folder = await temporaryFolder()
      const launcher = hasLauncher ? await placeLauncherHere(folder.path) : undefined
      const launched: Launched[] = []
      const wrappers: number[] = []
      const overlaps: string[] = []
      const killer = wrapperKiller(launched)
      const onCall = (call: Parameters<typeof textOf>[0]) => killer.called(textOf(call))
      await using wrapper = await wrapperExecutable({ onCall, isFoundByLauncher: true })
      const watching = new AbortController()
      const watched = followPipes(wrapper.pipes(watching.signal), killer.wrapperAppeared)

      const launch = (index: number): Launched => {
        const text = `text ${index}`
        const waits = index % 4 === 0
        const isAfterLastKill = killer.isDone()
        const argv = [byArguments, `queryexercises=${text}`, ...(waits ? ['wait=true'] : [])]
        const isNative = launcher !== undefined && Math.floor(index / workers) % 2 === 1
        const started = isNative ? wrapper.startFile(launcher, argv) : wrapper.start(...argv)
        const one = { ...started, text, waits, isAfterLastKill }
        launched.push(one)
        const pid = started.child.pid ?? 0
        started.isWrapper.then(() => {
          overlaps.push(...wrappers.filter(isAlive).map(other => `${other} still runs, and ${pid} began`))
          wrappers.push(pid)
        })
        started.ended.then(killer.launchEnded)
        return one
      }
      const work = async (worker: number) => {
        for (let turn = 0; turn < (killer.isDone() ? launchesOfWorker : mostOfWorker); turn++) {
          const { ended, isWrapper } = launch(worker + turn * workers)
          await Promise.race([ended, isWrapper])
        }
      }
      await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
      expect(killer.isDone()).toBe(true)
      const last = launch(workers * mostOfWorker)
      await Promise.race([last.ended, wrapper.called(calls => textsOf(calls).includes(last.text))])
      if (!last.waits) throw new Error('The last launch tells when those before it were carried out.')
      await Promise.race([last.ended, last.isWrapper])
      const running = launched.filter(({ child }) => child.exitCode === null && child.signalCode === null)
      expect(running).toHaveLength(1)
      running[0]?.child.kill('SIGTERM')
      const ends = await Promise.all(launched.map(async one => ({ ...one, ...(await one.ended) })))
      watching.abort()
      await watched

      expect(overlaps).toEqual([])
      const timesCalled = Map.groupBy(textsOf(wrapper.calls), text => text)
      const times = (text: string) => timesCalled.get(text)?.length ?? 0
      expect(ends.filter(({ text }) => times(text) > 1).map(({ text }) => text)).toEqual([])
      const unexplained = ends.filter(
        ({ exitCode, errors, child }) =>
          exitCode !== 0 && child.signalCode !== 'SIGKILL' && !reasons.test(errors),
      )
      expect(unexplained.map(({ exitCode, errors }) => `${exitCode} ${errors}`)).toEqual([])
      const carriedOut = ends.filter(
        ({ exitCode, waits, isAfterLastKill }) => exitCode === 0 && (waits || isAfterLastKill),
      )
      expect(carriedOut.length).toBeGreaterThan(0)
      expect(carriedOut.filter(({ text }) => times(text) !== 1).map(({ text }) => text)).toEqual([])
    },
    600_000,
  )

  test('1,000 of one process arrive in order', async () => {
    await using wrapper = await wrapperExecutable()
    await wrapper.start().isWrapper
    const texts = Array.from({ length: 1000 }, (_, index) => String(index))
    const record = readWrapperRecord(placeOf(wrapper).recordFile, toWrapperRecord)
    if (!record) throw new Error('The wrapper has published no record.')
    for (const text of texts) {
      const argv = [byArguments, `queryexercises=${text}`]
      const launch = { id: randomUUID(), argv, workingDirectory: wrapper.folder }
      expect(await handOff(record, { launch })).toMatchObject({ status: 'accepted' })
    }
    await wrapper.called(calls => calls.length >= texts.length)
    expect(textsOf(wrapper.calls)).toEqual(texts)
  }, 600_000)
})

/**
 * Kills the wrapper after every few launches. By turns it strikes when a launch has ended, and when the page is called for a
 * launch that waits. So it also hits a starting wrapper and one that takes launches.
 */
function wrapperKiller(launched: readonly Launched[]) {
  const random = seededRandom(4711)
  const few = () => 10 + Math.floor(random() * 20)
  let ended = 0
  let killed = 0
  let nextKill = few()
  let current: Launched | undefined
  const killWhenDue = (isCall: boolean) => {
    if (!current || killed === kills || ended < nextKill || isCall !== (killed % 2 === 1)) return
    if (current.child.exitCode === null && current.child.kill('SIGKILL')) {
      killed += 1
      nextKill = ended + few()
    }
    current = undefined
  }
  return {
    isDone: () => killed === kills,
    launchEnded() {
      ended += 1
      killWhenDue(false)
    },
    called(text: string) {
      if (launched.find(launch => launch.text === text)?.waits) killWhenDue(true)
    },
    wrapperAppeared(pid: number) {
      current = launched.find(({ child }) => child.pid === pid && child.signalCode === null) ?? current
      killWhenDue(false)
    },
  }
}

/** A pipe's name ends in its wrapper's process id. */
async function followPipes(pipes: AsyncIterable<string>, appeared: (pid: number) => void): Promise<void> {
  try {
    for await (const address of pipes) appeared(Number(address.slice(address.lastIndexOf('.') + 1)))
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error
  }
}

/** A killed process counts as ended before its parent reaps it. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}

function textsOf(calls: readonly PageCall[]): string[] {
  return calls.map(textOf)
}

function textOf({ value }: PageCall): string {
  return String(value.text)
}

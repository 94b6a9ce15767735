import { readdir, readFile } from 'node:fs/promises'
import { bundleProgram } from '@service-link/test-kit/bundle-program'
import { browserProcesses, canListProcesses, killRenderers } from '@service-link/test-kit/processes'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { reloadingWorkout, wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test } from 'vitest'
import { request } from '../support/pipe.ts'

/**
 * A day of a busy desk: 200 rounds of 100 commands and a hide and a show, with a reload in every fourth and a crash in
 * every tenth.
 */
const rounds = 200
const commandsARound = 100
/** Nothing grows after this round: caches are warm, and the first pages have been replaced. */
const warmRounds = 40
/** Rounds that are measured together. Garbage may distort a single round. */
const lookedAt = 10
/** Longest wait for an answered command, in milliseconds. */
const commandMs = 60_000

const program = await bundleProgram(new URL('../support/endurance-process.ts', import.meta.url))
const person = (id: string) => ({ customid: id, firstname: 'A', lastname: 'B', dateofbirth: '1980-02-03' })

describe.skipIf(!hasBrowser || !canListProcesses)('a wrapper through a long day', () => {
  test('holds no more memory and handles at its end than when it was warm', async () => {
    await using wrapper = await wrapperExecutable({ program })
    const appears = wrapper.pipeAppears()
    const { child, ended, isWrapper } = wrapper.start()
    const end = ended.then(({ exitCode, errors }) => {
      throw new Error(`The wrapper ended (${exitCode}): ${errors.slice(-2000)}`)
    })
    // At the end the test closes it.
    end.catch(() => undefined)
    await Promise.race([isWrapper, end])
    const pipe = await appears
    const samples: Sample[] = []
    let answered = 0

    async function send(Method: string, Args: object = {}): Promise<string> {
      const [frame = ''] = await within(request(pipe, { Method, Args }), `${Method} was not answered.`)
      return frame
    }

    function within<Value>(work: Promise<Value>, problem: string): Promise<Value> {
      const tooLong = Promise.withResolvers<never>()
      const timer = setTimeout(() => tooLong.reject(new Error(problem)), commandMs)
      return Promise.race([work, end, tooLong.promise]).finally(() => clearTimeout(timer))
    }

    /** Repeats commands that were refused because the page ended. */
    async function command(name: string, args: object): Promise<void> {
      const deadline = performance.now() + commandMs
      for (;;) {
        const answer = await send(name, args)
        if (answer.includes('ERR_WEB_APP') && performance.now() < deadline) continue
        expect(answer).not.toContain('"error"')
        answered++
        return
      }
    }

    async function round(index: number): Promise<void> {
      for (let number = 0; number < commandsARound; number += 5) {
        await Promise.all([
          command('version', {}),
          command('selectperson', person(`p${number}`)),
          command('getlistofusers', {}),
          command('getworkoutsforclient', { customid: `p${number}` }),
          command('setcustomid', { userid: 1, customid: 'other' }),
        ])
      }
      await send('hide')
      await send('show')
      wrapper.calls.length = 0
      await look()
      if (index % 4 === 3) await command('openworkout', { id: reloadingWorkout })
      if (index % 10 === 9) await killRenderers(wrapper.profileFolder)
    }

    async function keptMiB(): Promise<number> {
      const told = Promise.withResolvers<number>()
      const hear = (chunk: string) => {
        const bytes = /Keeps (\d+) bytes/.exec(chunk)?.[1]
        if (bytes !== undefined) told.resolve(Math.round(Number(bytes) / 2 ** 18) / 4)
      }
      child.stderr?.on('data', hear)
      child.kill('SIGUSR2')
      return within(told.promise, 'The wrapper did not say what it keeps.').finally(() =>
        child.stderr?.off('data', hear),
      )
    }

    async function look(): Promise<void> {
      const browser = await browserProcesses(wrapper.profileFolder)
      samples.push({
        keptMiB: await keptMiB(),
        wrapper: await figuresOf([child.pid ?? 0]),
        browser: await figuresOf(browser.map(({ pid }) => pid)),
      })
    }

    for (let index = 0; index < rounds; index++) await round(index)
    await command('getlistofusers', {})
    const warm = typical(samples.slice(warmRounds - lookedAt, warmRounds))
    const atEnd = typical(samples.slice(-lookedAt))
    console.info(`After ${answered} commands:`, JSON.stringify({ warm, end: atEnd }))
    expect(answered).toBeGreaterThanOrEqual(rounds * commandsARound)
    // Allows for open connections and ending processes of the browser.
    expect(atEnd.wrapper.handles).toBeLessThanOrEqual(warm.wrapper.handles + 5)
    expect(atEnd.keptMiB).toBeLessThanOrEqual(warm.keptMiB * 1.2)
    expect(atEnd.wrapper.memoryMiB).toBeLessThanOrEqual(warm.wrapper.memoryMiB * 1.3)
    expect(atEnd.browser.processes).toBeLessThanOrEqual(warm.browser.processes + 1)
    expect(atEnd.browser.handles).toBeLessThanOrEqual(warm.browser.handles * 1.2)
    expect(atEnd.browser.memoryMiB).toBeLessThanOrEqual(warm.browser.memoryMiB * 1.3)
  }, 900_000)
})

interface Sample {
  /** Memory that the wrapper's program needs, in MiB. */
  readonly keptMiB: number
  readonly wrapper: ProcessFigures
  readonly browser: ProcessFigures
}

/** The median of each figure. */
function typical(samples: readonly Sample[]): Sample {
  const middle = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0
  const of = (name: 'wrapper' | 'browser'): ProcessFigures => ({
    memoryMiB: middle(samples.map(each => each[name].memoryMiB)),
    handles: middle(samples.map(each => each[name].handles)),
    processes: middle(samples.map(each => each[name].processes)),
  })
  return {
    keptMiB: middle(samples.map(({ keptMiB }) => keptMiB)),
    wrapper: of('wrapper'),
    browser: of('browser'),
  }
}

/** Memory and handles of processes. */
interface ProcessFigures {
  /** Private memory in MiB, without files, which processes of the same program share. */
  readonly memoryMiB: number
  /** Open files, sockets and pipes. */
  readonly handles: number
  readonly processes: number
}

/** Adds up the figures of processes. A process that has ended counts as nothing. Linux only. */
async function figuresOf(pids: readonly number[]): Promise<ProcessFigures> {
  const each = await Promise.all(pids.map(pid => readFigures(pid)))
  const found = each.filter(figures => figures !== undefined)
  const sum = (name: 'memoryKiB' | 'handles') => found.reduce((total, figures) => total + figures[name], 0)
  return {
    memoryMiB: Math.round(sum('memoryKiB') / 1024),
    handles: sum('handles'),
    processes: found.length,
  }
}

async function readFigures(pid: number) {
  try {
    const [rollup, handles] = await Promise.all([
      readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
      readdir(`/proc/${pid}/fd`),
    ])
    return { memoryKiB: Number(/^Pss_Anon:\s+(\d+)/m.exec(rollup)?.[1]), handles: handles.length }
  } catch {
    return undefined
  }
}

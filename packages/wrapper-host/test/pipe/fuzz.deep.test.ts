import { connectWrapper } from '@service-link/pipe-client'
import { expect, test } from 'vitest'
import { playStream } from '../support/fuzz-connection.ts'
import { planted } from '../support/fuzz-envelope.ts'
import { FuzzRandom } from '../support/fuzz-random.ts'
import { fuzzStream } from '../support/fuzz-stream.ts'
import { type LoadFigures, type PipeLoad, startPipeLoad } from '../support/pipe-load.ts'

const rounds = 5
const framesARound = 20_000
const frames = rounds * framesARound
const connectionsAtATime = 12
const longestStream = 400

/** More than all caches, and less than 55 bytes for each of 40,000 frames. */
const growthBytes = 2 * 1024 * 1024

/** All answers to wrong and right frames. */
const everyKind = 'result event ERR_FRAME ERR_JSON ERR_METHOD ERR_ARGS ERR_BUSY ERR_CANCELLED'.split(' ')

test(`${frames} frames with every kind of fault harm only their sender`, async () => {
  const seed = Date.now() % 2 ** 31
  const random = new FuzzRandom(seed)
  await using wrapper = await startPipeLoad()
  const stop = new AbortController()
  const others = callUntil(wrapper, stop.signal)
  const seen = new Set<string>()
  let frameCount = 0
  let connectionCount = 0

  async function play(until: number): Promise<void> {
    while (frameCount < until) {
      const stream = fuzzStream(random, longestStream)
      frameCount += stream.frameCount
      connectionCount++
      const { answerCount, kinds, failure } = await playStream(wrapper.address, stream)
      for (const kind of kinds) seen.add(kind)
      if (!stream.isFrames || !stream.isSession) continue
      expect({ answerCount, failure }).toEqual({ answerCount: stream.frameCount, failure: undefined })
    }
  }

  async function round(index: number): Promise<LoadFigures> {
    await Promise.all(Array.from({ length: connectionsAtATime }, () => play((index + 1) * framesARound)))
    return wrapper.figures()
  }

  /** Ends with the first failed call, or with the wrapper. */
  const unlessBroken = <Value>(work: Promise<Value>): Promise<Value> =>
    Promise.race([work, wrapper.lost, others.then(() => work)])

  try {
    const figures: LoadFigures[] = []
    for (let index = 0; index < rounds; index++) figures.push(await unlessBroken(round(index)))
    stop.abort()
    const callCount = await others
    console.info(
      `${frameCount} frames over ${connectionCount} connections, ${callCount} calls beside them:`,
      JSON.stringify(figures),
    )
    expect(frameCount).toBeGreaterThanOrEqual(frames)
    expect(connectionCount).toBeGreaterThan(frames * 0.003)
    expect(callCount).toBeGreaterThan(100)
    // Otherwise the frames do not reach the checks.
    expect([...seen]).toEqual(expect.arrayContaining(everyKind))
    const [, warm, , ...last] = figures
    // The number of requests under way varies.
    const least = (name: keyof LoadFigures) => Math.min(...last.map(figure => figure[name]))
    expect(least('keptBytes')).toBeLessThan((warm?.keptBytes ?? 0) + growthBytes)
    expect(least('handles')).toBeLessThanOrEqual((warm?.handles ?? 0) + 2)
    const end = await wrapper.end()
    expect(end).toMatchObject({ exitCode: 0, errors: '' })
    expect(end.log).not.toContain(planted)
  } catch (error) {
    console.error(`The seed was ${seed}.`)
    throw error
  } finally {
    stop.abort()
    await others.catch(() => undefined)
  }
}, 600_000)

/** Makes ordinary calls, which must all succeed. */
async function callUntil({ userFolder }: PipeLoad, signal: AbortSignal): Promise<number> {
  const client = await connectWrapper({ userFolder })
  let callCount = 0
  for (; !signal.aborted; callCount++) {
    const customId = `own-${callCount}`
    const [version, users] = await Promise.all([client.version(), client.getListOfUsers({ customId })])
    expect(version).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    expect(users[0]).toEqual({ id: 0, customId })
  }
  return callCount
}

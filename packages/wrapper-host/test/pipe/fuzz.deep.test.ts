import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { expect, test } from 'vitest'
import { startTestWrapper } from '../../src/testing/index.ts'
import { playStream } from '../support/fuzz-connection.ts'
import { FuzzRandom, fuzzStream, planted } from '../support/fuzz-stream.ts'

const frames = 100_000
const connectionsAtATime = 12
const longestStream = 400

/** All answers to wrong and right frames. */
const everyKind = 'result event ERR_FRAME ERR_JSON ERR_METHOD ERR_ARGS ERR_BUSY ERR_CANCELLED'.split(' ')

/** Time of the web app for workouts: long enough to give them up. */
const workoutsMs = 50

test(`${frames} frames with every kind of fault harm only their sender`, async () => {
  const seed = Date.now() % 2 ** 31
  const random = new FuzzRandom(seed)
  await using wrapper = await startTestWrapper({
    settings: { LogLevel: 'debug' },
    webApp: {
      selectPerson: () => ({ status: 'selected', userId: 1, customId: '' }),
      queryExercises: () => undefined,
      queryWorkouts: () => undefined,
      openWorkout: () => undefined,
      setCustomId: () => undefined,
      getWorkoutsForClient: () => new Promise(resolve => setTimeout(resolve, workoutsMs, [])),
      // Shows a caller that the reply is for its call.
      getListOfUsers: ({ customId = '' }) => [
        { id: 0, customId: customId.startsWith('own-') ? customId : '' },
      ],
    },
  })
  const { pipeAddress = '', folders } = wrapper
  const stop = new AbortController()
  const others = callUntil(folders.userFolder, stop.signal)
  const seen = new Set<string>()
  let frameCount = 0

  async function play(): Promise<void> {
    while (frameCount < frames) {
      const stream = fuzzStream(random, longestStream)
      frameCount += stream.frameCount
      const { answerCount, kinds, failure } = await playStream(pipeAddress, stream)
      for (const kind of kinds) seen.add(kind)
      if (!stream.isFrames || !stream.isSession) continue
      expect({ answerCount, failure }).toEqual({ answerCount: stream.frameCount, failure: undefined })
    }
  }

  try {
    // The first failed call ends it.
    await Promise.race([Promise.all(Array.from({ length: connectionsAtATime }, play)), others])
    stop.abort()
    expect(await others).toBeGreaterThan(100)
    // Otherwise the frames do not reach the checks.
    expect([...seen]).toEqual(expect.arrayContaining(everyKind))
    expect(wrapper.pageErrors).toEqual([])
    const log = await readFile(join(folders.userFolder, 'logs', 'wrapper.log'), 'utf8')
    expect(log + wrapper.notices.join()).not.toContain(planted)
  } catch (error) {
    console.error(`The seed was ${seed}.`)
    throw error
  } finally {
    stop.abort()
    await others.catch(() => undefined)
  }
}, 600_000)

/** Makes ordinary calls, which must all succeed. */
async function callUntil(userFolder: string, signal: AbortSignal): Promise<number> {
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

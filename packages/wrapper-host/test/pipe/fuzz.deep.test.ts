import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { commandErrorCodes, decodeText, readSessionMessage } from '@service-link/protocol-core'
import { FrameDecoder } from '@service-link/protocol-core/frame'
import { expect, test } from 'vitest'
import { startTestWrapper } from '../../src/testing/index.ts'
import { FuzzRandom, type FuzzStream, fuzzStream, planted } from '../support/fuzz-stream.ts'

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

/** Longest time from the end of a stream to the end of its connection, in milliseconds. */
const hangMs = 60_000

/** Outcome of a connection. */
interface FuzzOutcome {
  /** Number of answers, without events. */
  readonly answerCount: number
  /** Answers: codes of failures, and `result`. */
  readonly kinds: ReadonlySet<string>
  /** Code of the failure that broke it, if any. */
  readonly failure: string | undefined
}

/**
 * Sends a stream, reads the answers, and waits for the server to end the connection.
 *
 * @throws {Error} when the server does not end it, or sends an invalid frame or answer, or quotes a forbidden text
 */
async function playStream(address: string, stream: FuzzStream): Promise<FuzzOutcome> {
  const decoder = new FrameDecoder({ maxFrameBytes: 16 * 1024 * 1024 })
  const kinds = new Set<string>()
  let answerCount = 0
  let failure: string | undefined
  const closed = Promise.withResolvers<void>()
  const socket = connect({ path: address, allowHalfOpen: true })
  const hang = setTimeout(() => closed.reject(new Error('The connection was not ended.')), hangMs)
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code ?? error.message
  })
  socket.on('close', () => closed.resolve())
  socket.on('data', (chunk: Uint8Array) => {
    try {
      for (const body of decoder.push(chunk)) {
        const kind = kindOf(body)
        kinds.add(kind)
        if (kind !== 'event') answerCount++
      }
    } catch (error) {
      closed.reject(error)
    }
  })
  socket.on('end', () => socket.end())
  for (const piece of stream.pieces) {
    socket.write(piece)
    if (piece.length < 100) await new Promise(done => setImmediate(done))
  }
  socket.end()
  try {
    await closed.promise
    if (failure === undefined) decoder.end()
  } finally {
    clearTimeout(hang)
    socket.destroy()
  }
  return { answerCount, kinds, failure }
}

/** Returns `event`, `result`, or the code of a failure; throws for anything else. */
function kindOf(body: Uint8Array): string {
  const text = decodeText(body)
  const value = text.startsWith('{') ? JSON.parse(text) : text
  const isEvent = 'Event' in Object(value)
  // The client knows its id, and subscribes to the person in focus.
  const quoted = JSON.stringify(value, (name, member) => (name === 'Id' || name === 'person' ? null : member))
  if (!isEvent && quoted.includes(planted))
    throw new Error(`An answer quotes an argument: ${text.slice(0, 300)}`)
  if (typeof value === 'string') return 'result'
  if ('error' in value || 'Error' in value) {
    const code = value.Error?.Code ?? value.code
    if (!commandErrorCodes.includes(code)) throw new Error(`Not a known code: ${text.slice(0, 300)}`)
    if ('Error' in value) readSessionMessage(body)
    return code
  }
  // A message without an id and an event is a classic result that is an object.
  if ('Id' in value || isEvent) readSessionMessage(body)
  return isEvent ? 'event' : 'result'
}

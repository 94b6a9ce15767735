import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectProven, type ProofFailure } from '@service-link/pipe-client/running'
import {
  encodeFrame,
  FrameDecoder,
  maxReplyFrameBytes,
  type WrapperRecord,
} from '@service-link/protocol-core'
import { type FormRequest, prepareRequest } from './prepare-request.ts'

/** What came of a request. `text` is the reply as it came, or a program's words. */
export interface SentRequest {
  readonly isDone: boolean
  /** The request as it travels: a frame's body, or the arguments of a launch and its file. */
  readonly sent: string
  readonly text: string
  readonly durationMs: number
}

/** Starts the wrapper's program with these arguments, and waits for its end. */
export type LaunchProgram = (
  argv: readonly string[],
) => Promise<{ readonly exitCode: number | null; readonly output: string; readonly errors: string }>

interface SendPlace {
  readonly launch: LaunchProgram
  /** The wrapper that gets frames; absent while none runs. */
  readonly wrapper: Pick<WrapperRecord, 'address' | 'key'> | undefined
}

/** Sends a request as a stranger's program would: by a second launch, an XML file, or a connection of its own. */
export async function sendRequest(request: FormRequest, place: SendPlace): Promise<SentRequest> {
  const prepared = prepareRequest(request)
  const failed = (text: string) => ({ isDone: false, sent: '', text, durationMs: 0 })
  if (prepared.kind === 'problem') return failed(prepared.problem)
  if (!place.wrapper) return failed('No wrapper runs. Start one first.')
  const begunMs = performance.now()
  const outcome =
    prepared.kind === 'frame'
      ? await exchangeFrames(prepared.body, place.wrapper)
      : prepared.xml === undefined
        ? await launch(prepared.argv, place)
        : await launchWithFile(prepared.argv, prepared.xml, place)
  const sent = prepared.kind === 'frame' ? prepared.body : [prepared.xml, ...prepared.argv].join('\n').trim()
  return { ...outcome, sent, durationMs: Math.round(performance.now() - begunMs) }
}

type Outcome = Pick<SentRequest, 'isDone' | 'text'>

async function launch(argv: readonly string[], place: SendPlace): Promise<Outcome> {
  const ended = await place.launch([...argv, 'wait=true']).catch(() => undefined)
  if (!ended) return { isDone: false, text: 'The program did not start, or did not end in time.' }
  const { exitCode, output, errors } = ended
  const words = `${output}${errors}`.trim()
  return { isDone: exitCode === 0, text: `exit code ${exitCode}${words ? `\n${words}` : ''}` }
}

async function launchWithFile(argv: readonly string[], xml: string, place: SendPlace): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'console-'))
  try {
    const file = join(folder, 'input.xml')
    await writeFile(file, xml, { mode: 0o600 })
    const { isDone, text } = await launch([file, ...argv], place)
    return { isDone, text: `${text}\nThe wrapper ${existsSync(file) ? 'left' : 'deleted'} the file.` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const limitMs = 35_000

/**
 * Sends one frame to a wrapper that has proven itself, and reads one: the whole reply of a classic connection, the first of a session.
 * The name of the public pipe proves nothing: another user may have it.
 */
async function exchangeFrames(
  body: string,
  wrapper: Pick<WrapperRecord, 'address' | 'key'>,
): Promise<Outcome> {
  const proven = await connectProven(wrapper, { timeoutMs: limitMs })
  if ('failure' in proven) return { isDone: false, text: sentences[proven.failure] }
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const decoder = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
  const { socket, readWith } = proven
  const end = (outcome: Outcome) => {
    resolve(outcome)
    socket.destroy()
  }
  readWith(bytes => {
    try {
      const [reply] = decoder.push(bytes)
      if (reply) end(readReply(Buffer.from(reply).toString()))
    } catch {
      end({ isDone: false, text: 'The reply is no frame.' })
    }
  })
  socket.setTimeout(limitMs, () => end({ isDone: false, text: sentences.silent }))
  socket.on('end', () => end({ isDone: true, text: '' }))
  socket.on('close', () => end({ isDone: false, text: sentences.dropped }))
  socket.write(encodeFrame(body))
  return promise
}

const sentences: Readonly<Record<ProofFailure, string>> = {
  absent: 'The wrapper could not be reached.',
  denied: 'The wrapper could not be reached.',
  dropped: 'The connection to the wrapper broke.',
  silent: 'The wrapper did not answer in time.',
  unproven: 'It is not the wrapper that answers at its address. The request was not sent.',
}

function readReply(text: string): Outcome {
  return { isDone: !/^\{("Id":("[^"]*"|[^,]*),)?"(error|Error)":/.test(text), text }
}

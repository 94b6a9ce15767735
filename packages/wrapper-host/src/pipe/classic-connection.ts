import type { Socket } from 'node:net'
import {
  BusyError,
  type Command,
  type CommandName,
  type CommandResult,
  encodeFrame,
  isServiceLinkError,
  maxReplyFrameBytes,
  parseClassicCommand,
  type RequestEnvelope,
  type ServiceLinkError,
  WebAppError,
  writeClassicFailure,
  writeClassicReply,
} from '@service-link/protocol-core'
import { isOwnCommand } from '../command/command-runner.ts'
import type { ConnectionParts, PipeParts } from './pipe-parts.ts'

/**
 * Serves one connection in classic mode: carries out its one request, writes one reply, closes (design: pipe protocol). A client
 * that never reads or vanishes disturbs no other connection.
 */
export async function answerClassic(
  socket: Socket,
  request: RequestEnvelope,
  bodyBytes: number,
  parts: ConnectionParts,
): Promise<void> {
  try {
    const command = parseClassicCommand(request, parts)
    const result = isOwnCommand(command)
      ? parts.runner.runOwn(command)
      : await carryOut(socket, command, bodyBytes, parts)
    const text = writeClassicReply(command.name, result)
    parts.frames?.replied('ok', text)
    endClassic(socket, text, parts)
  } catch (error) {
    failClassic(socket, error, parts)
  }
}

function carryOut(
  socket: Socket,
  command: Command,
  byteCount: number,
  { runner, bodyBytes }: PipeParts,
): Promise<CommandResult<CommandName>> {
  const counted = bodyBytes.ofConnection()
  counted.receive(byteCount)
  const { answer, ended } = runner.begin(command, { signal: goneSignal(socket), client: socket })
  void ended.then(() => counted.giveBack(byteCount))
  return answer
}

/** Writes a failure to a classic client, or to one whose mode is unknown, and closes. */
export function failClassic(
  socket: Socket,
  error: unknown,
  parts: Pick<ConnectionParts, 'limits' | 'frames'>,
): void {
  const failure = commandFailure(error)
  const text = writeClassicFailure(failure)
  parts.frames?.replied(failure.code, text)
  endClassic(socket, text, parts)
}

function endClassic(socket: Socket, text: string | undefined, { limits }: Pick<PipeParts, 'limits'>): void {
  if (socket.destroyed) return
  if (text === undefined) socket.end()
  else socket.end(encodeReply(text))
  const timer = setTimeout(() => socket.destroy(), limits.unreadLimitMs)
  socket.once('close', () => clearTimeout(timer))
}

function encodeReply(text: string): Uint8Array {
  try {
    return encodeFrame(text, { maxFrameBytes: maxReplyFrameBytes })
  } catch {
    return encodeFrame(writeClassicFailure(replyTooLong()))
  }
}

/**
 * Aborts when the connection is closed, by its limits or at the wrapper's exit. A client that closes its side does not count:
 * programs in the field send their command, close at once, and rely on the command.
 */
function goneSignal(socket: Socket): AbortSignal {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  return gone.signal
}

/** Makes the failure for a client. The message of a foreign error may hold anything, and is not sent. */
export function commandFailure(error: unknown): ServiceLinkError {
  return isServiceLinkError(error) ? error : new WebAppError('The wrapper failed to carry the command out.')
}

export function replyTooLong(): ServiceLinkError {
  return new WebAppError('The reply is longer than a frame may be.')
}

/** Makes the failure in place of a reply without room. Only lists are that long, and reading a list has no effect. */
export function noRoom(): ServiceLinkError {
  return new BusyError('There is no room for the reply beside what waits to be read. Read it, and ask again.')
}

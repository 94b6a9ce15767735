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
import type { PipeContext } from './pipe-context.ts'

/**
 * Serves one connection in classic mode: carries its one request out, writes one reply, closes (design: pipe protocol). Whatever
 * the client does, never reads or vanishes, concerns this connection only.
 *
 * @param socket its further input is ignored
 * @param bodyBytes length of the request
 */
export async function answerClassic(
  socket: Socket,
  request: RequestEnvelope,
  bodyBytes: number,
  context: PipeContext,
): Promise<void> {
  try {
    const command = parseClassicCommand(request, context)
    const result = isOwnCommand(command)
      ? context.runner.runOwn(command)
      : await carryOut(socket, command, bodyBytes, context)
    endClassic(socket, writeClassicReply(command.name, result), context)
  } catch (error) {
    failClassic(socket, error, context)
  }
}

function carryOut(
  socket: Socket,
  command: Command,
  byteCount: number,
  { runner, bodyBytes }: PipeContext,
): Promise<CommandResult<CommandName>> {
  const counted = bodyBytes.ofConnection()
  counted.take(byteCount)
  const { answer, ended } = runner.begin(command, { signal: goneSignal(socket), client: socket })
  void ended.then(() => counted.giveBack(byteCount))
  return answer
}

/** Tells a classic client, or one that has not said its mode, of a failure, and closes. */
export function failClassic(socket: Socket, error: unknown, context: Pick<PipeContext, 'limits'>): void {
  endClassic(socket, writeClassicFailure(commandFailure(error)), context)
}

function endClassic(socket: Socket, text: string | undefined, { limits }: Pick<PipeContext, 'limits'>): void {
  if (socket.destroyed) return
  const timer = setTimeout(() => socket.destroy(), limits.unreadLimitMs)
  socket.once('close', () => clearTimeout(timer))
  if (text === undefined) socket.end()
  else socket.end(encodeReply(text))
}

function encodeReply(text: string): Uint8Array {
  try {
    return encodeFrame(text, { maxFrameBytes: maxReplyFrameBytes })
  } catch {
    return encodeFrame(writeClassicFailure(replyTooLong()))
  }
}

/**
 * Aborts when the connection is closed, by its limits or at the wrapper's exit. A client that merely closed its end is not looked
 * for: programs in the field send their command, close at once, and rely on its being carried out.
 */
function goneSignal(socket: Socket): AbortSignal {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  return gone.signal
}

/** What a client is told of a failure: none that is not ours, whose words might be anybody's. */
export function commandFailure(error: unknown): ServiceLinkError {
  return isServiceLinkError(error) ? error : new WebAppError('The wrapper failed to carry the command out.')
}

/** What a client is told in place of a reply that is longer than a frame may be. */
export function replyTooLong(): ServiceLinkError {
  return new WebAppError('The reply is longer than a frame may be.')
}

/** What a client is told in place of a reply for which there is no room: only lists are that long, and asking for one does nothing. */
export function noRoom(): ServiceLinkError {
  return new BusyError('There is no room for the reply beside what waits to be read. Read it, and ask again.')
}

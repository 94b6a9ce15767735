import type { Socket } from 'node:net'
import {
  type Command,
  encodeFrame,
  FrameDecoder,
  isServiceLinkError,
  maxReplyFrameBytes,
  maxRequestFrameBytes,
  parseClassicRequest,
  type ServiceLinkError,
  WebAppError,
  writeClassicFailure,
  writeClassicReply,
} from '@service-link/protocol-core'
import type { CommandRunner } from '../command/command-runner.ts'

/** What one connection needs. */
export interface ClassicConnectionOptions {
  readonly runner: Pick<CommandRunner, 'run'>
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string
  /** How long a client may take to send its whole request, in milliseconds. Default 30,000. */
  readonly silenceLimitMs?: number
  /** How long a client may take to read the whole reply, in milliseconds. Default 30,000. */
  readonly unreadLimitMs?: number
}

/**
 * Serves one connection in classic mode: reads one request, carries it out, writes one reply, closes (design: pipe
 * protocol). Whatever the client does, sends nothing, half a frame or single bytes, never reads or vanishes, concerns this connection only.
 */
export function serveClassicConnection(socket: Socket, options: ClassicConnectionOptions): void {
  const decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes })
  const gone = new AbortController()
  const expire = () => socket.destroy()
  let timer = setTimeout(expire, options.silenceLimitMs ?? 30_000)

  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    clearTimeout(timer)
    gone.abort()
  })
  socket.on('data', onData)
  socket.on('end', onEnd)

  function onData(chunk: Uint8Array): void {
    try {
      const [body] = decoder.push(chunk)
      if (!body) return
      socket.off('data', onData).off('end', onEnd).resume()
      clearTimeout(timer)
      void answer(body)
    } catch (error) {
      reply(writeClassicFailure(asServiceLinkError(error)))
    }
  }

  function onEnd(): void {
    if (!decoder.isInsideFrame) {
      socket.destroy()
      return
    }
    try {
      decoder.end()
    } catch (error) {
      reply(writeClassicFailure(asServiceLinkError(error)))
    }
  }

  async function answer(body: Uint8Array): Promise<void> {
    try {
      const command: Command = parseClassicRequest(body, { culture: options.culture })
      const result = await options.runner.run(command, gone.signal)
      reply(writeClassicReply(command.name, result))
    } catch (error) {
      if (!gone.signal.aborted) reply(writeClassicFailure(asServiceLinkError(error)))
    }
  }

  function reply(text: string | undefined): void {
    socket.off('data', onData).off('end', onEnd).resume()
    if (socket.destroyed) return
    clearTimeout(timer)
    timer = setTimeout(expire, options.unreadLimitMs ?? 30_000)
    if (text === undefined) socket.end()
    else socket.end(encodeReply(text))
  }
}

function encodeReply(text: string): Uint8Array {
  try {
    return encodeFrame(text, { maxFrameBytes: maxReplyFrameBytes })
  } catch {
    return encodeFrame(writeClassicFailure(new WebAppError('The reply is longer than a frame may be.')))
  }
}

function asServiceLinkError(error: unknown): ServiceLinkError {
  return isServiceLinkError(error) ? error : new WebAppError('The wrapper failed to carry the command out.')
}

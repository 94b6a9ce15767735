import {
  type ClassicCommandName,
  type CommandResult,
  isServiceLinkError,
  readClassicReply,
  writeClassicRequest,
} from '@service-link/protocol-core'
import type { CallBounds } from '../connection/call-bounds.ts'
import { sendRequest } from '../connection/send-request.ts'
import { wait } from '../connection/wait.ts'
import { PipeClosedError, PipeRefusedError, PipeReplyError } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import { isAlive } from '../running/wrapper-record.ts'

/** How long, in milliseconds, the operating system may take to end a process whose pipe it has closed. */
const dyingMs = 100

/**
 * Has a wrapper carry out one command in the pipe's classic mode: one connection, one request, one reply.
 *
 * @param args arguments as they travel, under any spelling that the command knows
 * @throws {PipeRefusedError} when the wrapper answers with a failure
 * @throws {PipeClosedError} when it closes without the reply that the command has; on Windows also when it ends within a moment after
 *   a command that has no reply, other than `close`: it may have died with the request unread
 * @throws {PipeReplyError} when the reply is not the command's
 * @throws whatever {@link sendRequest} throws
 */
export async function requestClassic<Name extends ClassicCommandName>(
  pipe: ListedPipe,
  name: Name,
  args: Readonly<Record<string, unknown>> | undefined,
  bounds: CallBounds,
): Promise<CommandResult<Name>> {
  const body = await sendRequest(pipe, writeClassicRequest(name, args), bounds)
  const outcome = readReply(name, body)
  if (outcome.isFailure) throw new PipeRefusedError(outcome.failure.code, outcome.failure.error)
  if (!body && name !== 'close') await assertNotDied(pipe.pid, bounds.signal)
  return outcome.result
}

function readReply<Name extends ClassicCommandName>(name: Name, body: Uint8Array | undefined) {
  try {
    return readClassicReply(name, body)
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    throw body ? new PipeReplyError(error.message) : new PipeClosedError(true)
  }
}

/**
 * Where the end of a connection does not tell whether the request was read: makes sure that it was not the end of the wrapper.
 *
 * @throws {PipeClosedError} when it was
 */
async function assertNotDied(pid: number, signal: AbortSignal | undefined): Promise<void> {
  if (currentPlatform.tellsUnread) return
  await wait(dyingMs, signal)
  if (!isAlive(pid)) throw new PipeClosedError(true)
}

import {
  type ClassicCommandName,
  readClassicFailure,
  readClassicReply,
  readSessionMessage,
  readSessionResult,
  type SessionCallName,
  type SessionMessage,
  writeClassicRequest,
  writeSessionRequest,
} from '@service-link/protocol-core'
import type { ScenarioContext } from '../scenario.ts'
import type { WrapperConnection } from './connection.ts'
import type { WrapperSubject } from './open-wrapper.ts'

type Args = Readonly<Record<string, unknown>>

/** Sends one classic request, and reads the reply by the command's schema. The wrapper must then end the connection. */
export async function askClassic<Name extends ClassicCommandName>(
  wrapper: WrapperSubject,
  { checks, signal }: ScenarioContext,
  name: Name,
  args?: Args,
) {
  using connection = await wrapper.connect(signal)
  connection.send(writeClassicRequest(name, args))
  const body = await connection.next(signal)
  const outcome = checks.message(`The reply to ${name}`, () => readClassicReply(name, body))
  if (body && (await connection.next(signal))) checks.fail(`${name} has more than one reply.`)
  if (outcome?.isFailure) checks.fail(`${name} was refused with ${outcome.failure.code}.`)
  return outcome?.isFailure === false ? { result: outcome.result, hasReply: body !== undefined } : undefined
}

/** Sends bytes or a body on a new connection, and returns the code of the failure that comes. */
export async function askWrongly(
  wrapper: WrapperSubject,
  { checks, signal }: ScenarioContext,
  sent: Uint8Array,
): Promise<string | undefined> {
  using connection = await wrapper.connect(signal)
  connection.sendBytes(sent)
  const body = await connection.next(signal)
  return body && checks.message('The refusal', () => readClassicFailure(body))?.code
}

/** A connection in session mode. */
export interface SessionChannel extends Disposable {
  readonly connection: WrapperConnection
  /** Sends a request, and returns its id. */
  send(name: SessionCallName, args?: Args): number
  /** Reads the next message by its schema. */
  next(): Promise<SessionMessage | undefined>
  /** Sends a request, and reads its result by the schema of its method. Keeps events. */
  ask<Name extends SessionCallName>(
    name: Name,
    args?: Args,
  ): Promise<ReturnType<typeof readSessionResult<Name>> | undefined>
  /** Events that came before a reply. */
  readonly events: Extract<SessionMessage, { type: 'event' }>['event'][]
}

export async function openChannel(
  wrapper: WrapperSubject,
  { checks, signal }: ScenarioContext,
): Promise<SessionChannel> {
  const connection = await wrapper.connect(signal)
  let lastId = 0
  const session: SessionChannel = {
    connection,
    events: [],
    send(name, args) {
      lastId += 1
      connection.send(writeSessionRequest(lastId, name, args))
      return lastId
    },
    async next() {
      const body = await connection.next(signal)
      if (!body) throw new Error('The wrapper ended the connection of the session.')
      return checks.message('A message of the session', () => readSessionMessage(body))
    },
    async ask(name, args) {
      const id = session.send(name, args)
      for (;;) {
        const message = await session.next()
        if (message?.type === 'event') session.events.push(message.event)
        else if (message?.type === 'failure')
          return void checks.fail(`${name} failed with ${message.failure.code}.`)
        else if (message?.type === 'result') {
          checks.equal(`The Id of the reply to ${name}`, message.id, id)
          return checks.message(`The result of ${name}`, () => readSessionResult(name, message.result))
        } else return undefined
      }
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  }
  return session
}

import { findCommandName } from '@service-link/protocol-core'
import classicRequests from '@service-link/vectors/classic-requests.json' with { type: 'json' }
import frames from '@service-link/vectors/frames.json' with { type: 'json' }
import sessionRequests from '@service-link/vectors/session-requests.json' with { type: 'json' }

interface BodyInput {
  readonly body?: string
  readonly bodyHex?: string
}

const bytesOf = ({ body = '', bodyHex }: BodyInput) =>
  Buffer.from(bodyHex ?? body, bodyHex === undefined ? 'utf8' : 'hex')

/** A frame around bytes that may be no text. */
function frameOf(input: BodyInput): Uint8Array {
  const body = bytesOf(input)
  const header = Buffer.alloc(4)
  header.writeInt32LE(body.length)
  return Buffer.concat([header, body])
}

/** The meaning of a date depends on the culture of the wrapper. */
const hasDate = ({ body = '' }: BodyInput) => /dateofbirth|from/i.test(body)

/** A vector that a wrapper refuses, whatever its culture. */
export interface WrongRequest {
  readonly id: string
  readonly bytes: Uint8Array
  readonly code: string
}

/** Streams that break at their first frame, with the limit of requests. */
export const wrongStreams: readonly WrongRequest[] = frames.vectors.flatMap(({ id, input, error }) => {
  const isFirst = error && !('bodiesBefore' in error) && input.maxFrameBytes === 1024 * 1024
  return isFirst ? [{ id, bytes: Buffer.from(input.streamHex, 'hex'), code: error.code }] : []
})

export const wrongClassicRequests: readonly WrongRequest[] = classicRequests.vectors.flatMap(
  ({ id, input, error }) =>
    error && !hasDate(input) ? [{ id, bytes: frameOf(input), code: error.code }] : [],
)

/** Commands that anybody may send at any time, without an effect on later scenarios. */
const harmless = ['version', 'getlistofusers', 'getworkoutsforclient', 'openworkout', 'setcustomid', 'log']

/** Requests that a wrapper takes, also those of programs in the field, with the name of the command. */
export const goodClassicRequests = classicRequests.vectors.flatMap(({ id, input, expect: command }) =>
  command && harmless.includes(command.name) && !hasDate(input)
    ? [{ id, bytes: frameOf(input), name: findCommandName(command.name) }]
    : [],
)

/** With the Id of the reply, null where the request has no readable one. */
export const wrongSessionRequests = sessionRequests.vectors.flatMap(({ id, input, error }) =>
  error && !hasDate(input) ? [{ id, bytes: frameOf(input), code: error.code, replyId: error.id }] : [],
)

import {
  commandNames,
  type HelloReply,
  sessionEventNames,
  sessionMethods,
  sessionProtocol,
} from '@service-link/protocol-core'

/** Options of {@link helloReply}. */
export interface HelloReplyOptions {
  /** The wrapper's version, `a.b.c.d`. */
  readonly version: string
  /** Most requests in flight on one connection. */
  readonly maxInFlight: number
}

/** What this process answers to `hello`: all that the tables of protocol-core have (design: pipe protocol). */
export function helloReply({ version, maxInFlight }: HelloReplyOptions): HelloReply {
  return {
    protocol: sessionProtocol,
    version,
    pid: process.pid,
    capabilities: [...Object.keys(sessionMethods), ...commandNames, ...sessionEventNames],
    maxinflight: maxInFlight,
  }
}

import { readFileSync } from 'node:fs'
import { type CommandReply, commands } from '../../src/command/command-table.ts'
import { toWire } from '../../src/schema/names.ts'
import type { SessionCall } from '../../src/session/parse-request.ts'
import { sessionMethods } from '../../src/session/session-table.ts'

/** One row of a file of `conformance/vectors/`. */
export interface Vector<Input, Expected, Failure> {
  readonly id: string
  readonly spec: string
  readonly name: string
  readonly input: Input
  readonly expect?: Expected
  readonly error?: Failure
}

/** A row's expected failure. */
export interface CodedFailure {
  readonly code: string
  readonly paths?: readonly string[]
}

/** Reads the rows of one file. */
export function loadVectors<Input, Expected, Failure = CodedFailure>(
  file: string,
): readonly Vector<Input, Expected, Failure>[] {
  const url = new URL(`../../../../conformance/vectors/${file}`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')).vectors
}

/** Returns the error that a call throws; fails when it throws none. */
export function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}

/** A parsed call in the spelling of the vectors: the arguments as they travel, but for a person. */
export function asVector({ name, args }: SessionCall): { readonly name: string; readonly args: unknown } {
  const calls = { ...commands, ...sessionMethods }
  return { name, args: name === 'selectperson' ? args : toWire(calls[name].args, args) }
}

/** The body of one frame, as text or as its bytes in hexadecimal. */
export interface BodyInput {
  readonly body?: string
  readonly bodyHex?: string
}

/** The bytes of a body. */
export function bytesOf({ body, bodyHex }: BodyInput): Uint8Array {
  return bodyHex === undefined ? new TextEncoder().encode(body) : Buffer.from(bodyHex, 'hex')
}

/** A reply in the spelling of the vectors: as it travels, null where there is none. */
export function replyAsVector(reply: CommandReply, value: unknown): unknown {
  return toWire(reply, value) ?? null
}

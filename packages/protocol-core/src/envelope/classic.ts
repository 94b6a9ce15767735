import * as z from 'zod/mini'
import {
  type ClassicCommandName,
  type CommandDefinition,
  type CommandName,
  type CommandReply,
  type CommandResult,
  commands,
} from '../command/command-table.ts'
import {
  type CommandErrorCode,
  commandCodeOf,
  commandErrorCodes,
  JsonError,
  WebAppError,
} from '../errors/command-error.ts'
import type { ServiceLinkError } from '../errors/define-error.ts'
import { decodeText } from '../frame/frame.ts'
import { described, factsOf, withJson } from '../schema/facts.ts'
import { anyCase, innermost, type Members, objectIn, orElse, toWire } from '../schema/names.ts'
import { looseObject } from '../schema/object.ts'
import { hasArgs } from './request-envelope.ts'

/**
 * Writes the body of a classic request, `{"Method": "<name>", "Args": {…}}` (spec 4.5).
 *
 * @param args arguments as they travel; a member that is `undefined` is left out, and all of `Args` when there is none
 */
export function writeClassicRequest(
  name: ClassicCommandName,
  args?: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify(hasArgs(args) ? { Method: name, Args: args } : { Method: name })
}

/** The code of a failure. An unknown one counts as `ERR_WEB_APP`. */
export const codeSchema = described(
  withJson(orElse(z.string(), ''), { enum: [...commandErrorCodes] }),
  'Stable identifier of the failure',
)

/** One sentence about a failure. */
export const sentenceSchema = described(z.string(), 'One sentence for the developer')

/** The reply to a classic command that failed. */
export const classicFailureSchema = anyCase(looseObject({ error: sentenceSchema, code: codeSchema }))

/** The reply to a classic command that failed. */
export interface ClassicFailure {
  /** One sentence for the developer. */
  readonly error: string
  /** Stable identifier of the failure. */
  readonly code: CommandErrorCode
}

/** A classic reply: the result or the failure. */
export type ClassicOutcome<Name extends CommandName> =
  | { readonly isFailure: false; readonly result: CommandResult<Name> }
  | { readonly isFailure: true; readonly failure: ClassicFailure }

/**
 * Writes the body of a classic reply (design: pipe protocol).
 *
 * @returns the text, or `undefined` when the command answers with nothing and the connection just closes
 * @throws {RangeError} when the result is nested some thousands deep, or longer as text than a string may be
 */
export function writeClassicReply<Name extends CommandName>(
  name: Name,
  result: CommandResult<Name>,
): string | undefined {
  const { reply }: CommandDefinition = commands[name]
  if (reply === 'none') return undefined
  if (reply === 'text') return String(result)
  if (name === 'selectperson') {
    const { status, userId, customId } = Object(result)
    return JSON.stringify(toWire(reply, { status, userId, customId }))
  }
  return JSON.stringify(Array.isArray(result) ? writeClassicList(reply, result) : toWire(reply, result))
}

/**
 * Writes the body that tells a classic client of a failure: a sentence and a code, nothing else. A code that is not a
 * command's travels as `ERR_WEB_APP`.
 */
export function writeClassicFailure(error: ServiceLinkError): string {
  return JSON.stringify({ error: error.message, code: commandCodeOf(error.code) } satisfies ClassicFailure)
}

/**
 * Reads a classic reply. An object with a text `error` is a failure, whatever the command; a code that this version does
 * not know counts as `ERR_WEB_APP`. What a wrapper sends to a command that has no reply is not looked at otherwise.
 *
 * @param body the reply's frame, or `undefined` when the wrapper closed the connection without one
 * @throws {JsonError} when the reply is not text, or not JSON where the command's reply is JSON
 * @throws {WebAppError} when it is missing, or has another shape than the command's reply
 */
export function readClassicReply<Name extends CommandName>(
  name: Name,
  body: Uint8Array | undefined,
): ClassicOutcome<Name> {
  const { reply }: CommandDefinition = commands[name]
  if (!body) return { isFailure: false, result: readAbsence(reply) as CommandResult<Name> }
  const text = decodeText(body)
  const value = typeof reply === 'object' || text.trimStart().startsWith('{') ? readJson(text) : undefined
  const failure = readFailure(value)
  if (failure) return { isFailure: true, failure }
  return { isFailure: false, result: readResult(reply, text, value) as CommandResult<Name> }
}

function readAbsence(reply: CommandReply): undefined {
  if (reply !== 'none')
    throw new WebAppError('The wrapper closed the connection without the reply that this command has.')
}

function readResult(reply: CommandReply, text: string, value: unknown): unknown {
  if (reply === 'none') return undefined
  if (reply === 'text') return text
  if (value === undefined) throw new JsonError('The reply is not JSON.')
  return readReply(reply, value, 'The reply has another shape than the command’s.')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads the failure that a classic reply tells, whatever the command; `undefined` for a reply that tells none.
 *
 * @throws {JsonError} when the reply is not text
 */
export function readClassicFailure(body: Uint8Array): ClassicFailure | undefined {
  return readFailure(readJson(decodeText(body)))
}

/** Programs that write each member of their type send a blank `error`, and perhaps a blank code, with a success. */
function readFailure(value: unknown): ClassicFailure | undefined {
  const { error = '', code = '' } = z.safeParse(classicFailureSchema, value).data ?? {}
  return error.trim() === '' && code.trim() === '' ? undefined : { error, code: commandCodeOf(code) }
}

const textSchema = z.string()

/**
 * Reads what a wrapper answers or tells.
 *
 * @param problem sentence of the error
 * @returns `undefined` where nothing is expected
 * @throws {WebAppError} if it has another shape
 */
export function readReply(reply: CommandReply, value: unknown, problem: string): unknown {
  if (reply === 'none') return undefined
  const read = z.safeParse(reply === 'text' ? textSchema : reply, value)
  if (!read.success) throw new WebAppError(problem)
  return read.data
}

type Write = (value: unknown) => unknown

const writers = new WeakMap<z.core.$ZodType, Write>()

/** Writes a list of the classic mode, whose typed readers fail on a missing member, and on a null that is no text. */
function writeClassicList(schema: z.core.$ZodType, list: unknown): unknown {
  let write = writers.get(schema)
  if (!write) {
    write = writerOf(schema)
    writers.set(schema, write)
  }
  return write(list)
}

function writerOf(schema: z.core.$ZodType): Write {
  const inner = innermost(schema)
  const { def } = inner._zod
  const object = objectIn(inner)
  if (object) return entryWriter(object)
  if (def.type === 'array') {
    const write = writerOf(def.element)
    return list => (Array.isArray(list) ? list.map(write) : [])
  }
  if (def.type === 'number') return value => value ?? 0
  return value => (typeof value === 'number' ? String(value) : (value ?? null))
}

/** Writes known members first, with a capital letter, and keeps the others. */
function entryWriter({ shape }: z.ZodMiniObject): Write {
  const members = Object.entries(shape).map(([name, schema]) => {
    const { classicDefault } = factsOf(schema)
    const write = writerOf(schema)
    const writeMember = classicDefault
      ? (entry: Members) => write(entry[name] ?? classicDefault(entry))
      : (entry: Members) => write(entry[name])
    return [name.replace(/^./, first => first.toUpperCase()), writeMember] as const
  })
  return entry => {
    const written: Record<string, unknown> = {}
    for (const [name, write] of members) written[name] = write(entry as Members)
    for (const name in entry as Members)
      if (!Object.hasOwn(shape, name)) written[name] = (entry as Members)[name]
    return written
  }
}

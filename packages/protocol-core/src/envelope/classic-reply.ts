import { z } from 'zod'
import type { CommandResult } from '../command/command.ts'
import { type CommandName, commands } from '../command/command-table.ts'
import type { CommandReply } from '../command/define-command.ts'
import { type CommandErrorCode, commandErrorCodes, WebAppError } from '../errors/command-error.ts'
import type { ServiceLinkError } from '../errors/service-link-error.ts'
import { decodeJson, decodeText } from '../frame/decode-text.ts'

/** What a wrapper answers to any classic command that failed. */
export const classicFailureSchema = z.looseObject({
  error: z.string().describe('One sentence for the developer'),
  code: z.enum(commandErrorCodes),
})

/** See {@link classicFailureSchema}. */
export type ClassicFailure = z.output<typeof classicFailureSchema>

/** What a classic reply says: the result, or the failure. */
export type ClassicOutcome<Name extends CommandName> =
  | { readonly isFailure: false; readonly result: CommandResult<Name> }
  | { readonly isFailure: true; readonly failure: ClassicFailure }

/**
 * Writes the body of a classic reply.
 *
 * @returns the text, or `undefined` when the command answers with nothing and the connection just closes
 */
export function writeClassicReply<Name extends CommandName>(
  name: Name,
  result: CommandResult<Name>,
): string | undefined {
  const reply: CommandReply = commands[name].reply
  if (reply === 'none') return undefined
  return reply === 'text' ? String(result) : JSON.stringify(result)
}

/** Writes the body that tells a classic client of a failure: a sentence and a code, nothing else. */
export function writeClassicFailure(error: ServiceLinkError): string {
  const code: CommandErrorCode = isCommandErrorCode(error.code) ? error.code : 'ERR_WEB_APP'
  return JSON.stringify({ error: error.message, code } satisfies ClassicFailure)
}

/**
 * Reads a classic reply.
 *
 * @param body the reply's frame, or `undefined` when the wrapper closed the connection without one
 * @throws {JsonError} when the reply is not text, or not JSON where the command's reply is JSON
 * @throws {WebAppError} when it has another shape than the command's reply
 */
export function readClassicReply<Name extends CommandName>(
  name: Name,
  body: Uint8Array | undefined,
): ClassicOutcome<Name> {
  const reply: CommandReply = commands[name].reply
  const failure = body && readFailure(body)
  if (failure) return { isFailure: true, failure }
  return { isFailure: false, result: readResult(reply, body) as CommandResult<Name> }
}

function readResult(reply: CommandReply, body: Uint8Array | undefined): unknown {
  if (reply === 'none') return undefined
  if (!body)
    throw new WebAppError('The wrapper closed the connection without the reply that this command has.')
  if (reply === 'text') return decodeText(body)
  const parsed = reply.safeParse(decodeJson(body))
  if (!parsed.success) throw new WebAppError('The reply has another shape than the command’s.')
  return parsed.data
}

function readFailure(body: Uint8Array): ClassicFailure | undefined {
  if (body[0] !== 0x7b) return undefined
  let value: unknown
  try {
    value = decodeJson(body)
  } catch {
    return undefined
  }
  return classicFailureSchema.safeParse(value).data
}

function isCommandErrorCode(code: string): code is CommandErrorCode {
  return (commandErrorCodes as readonly string[]).includes(code)
}

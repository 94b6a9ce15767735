import type { RefusalCode } from '@service-link/jwt-payload'
import * as z from 'zod/mini'
import type { Checks } from '../checks.ts'
import { EndOfRun, type ScenarioContext } from '../scenario.ts'
import type { Answer, ReceiverSubject } from './open-receiver.ts'

const problemSchema = z.looseObject({
  status: z.int(),
  title: z.string(),
  detail: z.string(),
  code: z.string().check(z.regex(/^ERR_[A-Z_]+$/)),
})

/** Asks for a refusal that a program reads. */
export const problem = { accept: 'application/problem+json' }

/**
 * Posts a valid payload.
 *
 * @throws {EndOfRun} if the receiver does not know who signs: it would refuse all others for that reason, too
 */
export async function postValid(
  receiver: ReceiverSubject,
  { signal }: ScenarioContext,
  { accept, ...changes }: { readonly accept?: string; readonly [claim: string]: unknown } = {},
): Promise<Answer> {
  const answer = await receiver.post(await receiver.sign(changes), accept ? { signal, accept } : { signal })
  if (answer.status < 400) return answer
  const { body } = await receiver.post(await receiver.sign(changes), { ...problem, signal })
  if (body.includes('"ERR_PAYLOAD_KEY"'))
    throw new EndOfRun('The receiver knows no partner for this key, kid and issuer.')
  return answer
}

/** Design 10: a refusal is a problem document with a stable code, and repeats nothing of the token. */
export function checkRefusal(
  checks: Checks,
  answer: Answer,
  code: RefusalCode | string,
  status: number,
  token = '',
): void {
  const { headers, body } = answer
  checks.equal('The status', answer.status, status)
  if (answer.status < 400) return
  checks.equal('The media type', headers.get('content-type')?.split(';')[0], 'application/problem+json')
  checkNotRepeated(checks, body, token)
  const problem = checks.message('The problem document', () => problemSchema.parse(JSON.parse(body)))
  if (!problem) return
  checks.equal('The code', problem.code, code)
  checks.equal('The status in the document', problem.status, answer.status)
}

export function checkPage(checks: Checks, { status, headers }: Answer): void {
  checks.equal('The status', status, 200)
  checks.equal('The media type', headers.get('content-type')?.split(';')[0], 'text/html')
}

export function checkNotRepeated(checks: Checks, body: string, token: string): void {
  if (token.length > 20)
    checks.that(!body.includes(token.slice(-20)), 'The answer repeats a part of the token.')
  const { aud, iss, ...claims } = claimsOf(token)
  const repeated = textsIn(claims).some(text => body.includes(text))
  checks.that(!repeated, 'The answer repeats a claim.')
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    return {}
  }
}

/** Shorter texts may be words of a sentence, or stand in an id of the request. */
const shortestText = 8

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < shortestText ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

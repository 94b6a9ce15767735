import { goodClaims, now, signedBy } from './forge.ts'

/** What an attack may know. */
export interface AttackContext {
  /** A server of the attacker's, which serves the attacker's key set and counts who asks. */
  readonly attacker: string
}

/** One forgery. */
export interface Attack {
  readonly group: string
  readonly name: string
  readonly forge: (context: AttackContext) => string
  /** A policy under which it is no attack. */
  readonly notUnder?: 'strict' | 'lenient'
}

/** The partner's key that most attacks turn on. */
export const es = signedBy('p256')

/** Seconds since 1970 of the time of all forgeries. */
export const iat = now.getTime() / 1000

/** Members of good claims as JSON, without the braces. */
export function goodMembers(): string {
  return JSON.stringify(goodClaims()).slice(1, -1)
}

/** Members of a good header as JSON, without the braces. */
export const headerMembers = '"alg":"ES256","typ":"JWT","kid":"p256"'

/** Gives several attacks the name of their group. */
export function group(
  name: string,
  attacks: readonly (readonly [string, Attack['forge'], Pick<Attack, 'notUnder'>?])[],
): Attack[] {
  return attacks.map(([title, forge, more]) => ({ group: name, name: title, forge, ...more }))
}

const [header = '', claims = '', signature = ''] = es.token().split('.')

/** The parts of a token that would be accepted. */
export const goodParts = { h: header, c: claims, s: signature }

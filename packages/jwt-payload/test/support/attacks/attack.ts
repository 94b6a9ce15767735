import { goodClaims, now, signedBy } from './forge.ts'

/** The facts that an attack may use. */
export interface AttackTarget {
  /** The attacker's server, which serves the attacker's key set and counts requests. */
  readonly attacker: string
}

/** One forgery. */
export interface Attack {
  readonly group: string
  readonly name: string
  readonly forge: (context: AttackTarget) => string
  /** The policy under which the token is legitimate. */
  readonly notUnder?: 'strict' | 'lenient'
}

/** The partner's key that most attacks target. */
export const es = signedBy('p256')

/** Time of all forgeries, in seconds since 1970. */
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

/** The parts of an acceptable token. */
export const goodParts = { h: header, c: claims, s: signature }

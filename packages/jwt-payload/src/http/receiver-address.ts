import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { isHttpUrl, isPlainHost } from './page-text.ts'

/**
 * Says why an address cannot be that of a receiver, as a clause. One-time URLs lie below it, and partners write it into `aud`, so that
 * nothing may follow its path.
 */
export function addressProblem(address: unknown): string | undefined {
  if (address === undefined) return 'is missing'
  if (typeof address !== 'string' || !isHttpUrl(address)) {
    if (address instanceof URL) return 'must be text: url.href'
    const isWrapped = isHttpUrl(String(address).replace(/^[\s"'<]+|[\s"'>]+$/g, ''))
    return `must be an absolute http or https URL${isWrapped ? '. It has white space or quotation marks around it' : ''}`
  }
  const url = new URL(address)
  if (/^(?:undefined|null)$/.test(url.hostname))
    return `has ${url.hostname} as its host: look at the setting that it is made of`
  if (url.username || url.password) return 'must have no user name or password'
  if (/[?#]/.test(address)) return 'must have no query and no fragment'
  return isPlainHost(url) ? undefined : 'must have the name of one host'
}

/** @throws {ParameterError} when an option is not the address of a receiver */
export function assertAddress(name: string, address: unknown): void {
  if (Object(address).then) assertParameter(name, address, 'text')
  const problem = Array.isArray(address)
    ? 'must be one address: a token is for one receiver'
    : addressProblem(address)
  if (problem) throw new ParameterError(name, 'the address of the receiver', `${problem}. ${addressAdvice}`)
}

/** @throws {ParameterError} when a name is empty, or has white space around it: names are compared exactly */
export function assertName(parameter: string, name: string | undefined): void {
  assertParameter(parameter, name, 'text?')
  if (name !== undefined && (name === '' || name.trim() !== name))
    throw new ParameterError(parameter, 'text of 1 character or more, without white space around it')
}

/** What to write in the place of an address that cannot be that of a receiver. */
export const addressAdvice = 'Write the address of the post, such as https://sso.example/partner/payload.'

/** Where a receiver says what it takes: below the same `sso_url` as its post, else at the root. Takes an address, or a path alone. */
export function discoveryOf(post: string): string {
  const base = /^(.*)\/partner\/payload\/?$/.exec(post)?.[1] ?? /^https?:\/\/[^/]+/i.exec(post)?.[0] ?? ''
  return `${base}/.well-known/partner-link`
}

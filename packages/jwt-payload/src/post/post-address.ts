import { isHttpUrl } from '../http/page-text.ts'
import { PostOptionError } from './post-errors.ts'

/** @throws {PostOptionError} when an option is not an address to post to */
export function assertPostAddress(name: string, address: unknown): asserts address is string {
  if (!isHttpUrl(address))
    throw new PostOptionError(
      `${name} must be ${address instanceof URL ? 'text: give its href' : 'an absolute http(s) URL'}.`,
    )
  const { username, password } = new URL(String(address))
  if (username || password) throw new PostOptionError(`${name} must not carry a user name or password.`)
}

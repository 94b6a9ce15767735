import { isSafeForPayloads } from '../launch/signed-payload.ts'

/** What the wrapper itself puts behind an address. */
const added = { SsoUrl: /\/partner\/payload\/*$/, UpdateUrl: /\/msi(?:\/version\.txt)?\/*$/ } as const

/**
 * Finds an address with which its feature never works, though it is an address.
 *
 * @returns a clause without the address
 */
export function unworkableAddress(setting: string, text: string): string | undefined {
  if (setting !== 'SsoUrl' && setting !== 'UpdateUrl') return undefined
  const url = URL.parse(text.trim())
  if (!url) return undefined
  if (setting === 'SsoUrl' && !isSafeForPayloads(url))
    return 'must be an https address, or http to this machine, without user name, query and fragment'
  const end = added[setting].exec(url.pathname)?.[0]
  return end === undefined ? undefined : `must end before ${end}, which the wrapper adds`
}

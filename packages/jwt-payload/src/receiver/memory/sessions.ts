import { assertParameter } from '@service-link/protocol-core'
import { createNonce } from '../handles.ts'
import type { Account } from '../ports/accounts.ts'
import type { Sessions } from '../ports/sessions.ts'

/** Options of {@link createMemorySessions}. */
export interface MemorySessionsOptions {
  /** Name of the cookie. Default `__Host-service-session`, which browsers take over https and from this machine only. */
  readonly cookieName?: string
}

/** Sessions in memory; for tests, and for trying things out. They end with their link alone. */
export function createMemorySessions(options: MemorySessionsOptions = {}): Sessions {
  assertParameter('options', options, 'object', { cookieName: 'text?' })
  const { cookieName = '__Host-service-session' } = options
  const kept = new Map<string, { readonly account: Account; readonly linkId: string }>()
  return {
    current: async request => kept.get(readCookie(request, cookieName) ?? '')?.account,
    create: async (account, _request, { isFramed, linkId }) => {
      const id = `${createNonce()}${createNonce()}`
      kept.set(id, { account, linkId })
      // Partitioned: kept for the framing page's site alone.
      const site = isFramed ? 'SameSite=None; Partitioned' : 'SameSite=Lax'
      return { setCookies: [`${cookieName}=${id}; Secure; HttpOnly; ${site}; Path=/`] }
    },
    endLinked: async linkId => {
      for (const [id, session] of kept) if (session.linkId === linkId) kept.delete(id)
    },
  }
}

function readCookie(request: Request, name: string): string | undefined {
  const pairs = request.headers.get('cookie')?.split(';') ?? []
  return pairs
    .map(pair => pair.trim())
    .find(pair => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

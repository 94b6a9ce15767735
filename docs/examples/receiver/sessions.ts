import type { Account, Sessions } from '@service-link/receiver'

const kept = new Map<string, { readonly account: Account; readonly linkId: string | undefined }>()

/** @returns the value of Set-Cookie; your log-in calls it too, without a link */
export function startSession(account: Account, linkId?: string, isFramed = false): string {
  const id = crypto.randomUUID()
  kept.set(id, { account, linkId })
  return `__Host-session=${id}; Secure; HttpOnly; Path=/; ${isFramed ? 'SameSite=None; Partitioned' : 'SameSite=Lax'}`
}

export const sessionOf = (cookies: string | null | undefined) =>
  kept.get(/(?:^|; )__Host-session=([\w-]+)/.exec(cookies ?? '')?.[1] ?? '')

export const sessions: Sessions = {
  current: async request => sessionOf(request.headers.get('cookie'))?.account,
  create: async (account, _request, { linkId, isFramed }) => ({
    setCookies: [startSession(account, linkId, isFramed)],
  }),
  endLinked: async linkId => {
    for (const [id, session] of kept) if (session.linkId === linkId) kept.delete(id)
  },
}

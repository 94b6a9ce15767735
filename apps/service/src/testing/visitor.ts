interface KeptCookie {
  readonly value: string
  readonly origin: string
  readonly path: string
}

/** A browser without a page: cookies by origin and path, redirects not followed. */
export class Visitor {
  readonly #cookies = new Map<string, KeptCookie>()

  async go(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { origin, pathname } = new URL(url)
    const cookie = Array.from(this.#cookies)
      .filter(([, kept]) => kept.origin === origin && pathname.startsWith(kept.path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ')
    const headers = new Headers(init.headers)
    headers.set('cookie', cookie)
    const answer = await fetch(url, { ...init, redirect: 'manual', headers })
    for (const line of answer.headers.getSetCookie()) this.#keep(line, origin)
    return answer
  }

  /** The value of a cookie, as a thief has it. */
  cookie(name: string): string | undefined {
    return Array.from(this.#cookies).find(([key]) => key.startsWith(`${name} `))?.[1].value
  }

  put(name: string, value: string, origin: string): void {
    this.#cookies.set(`${name} / ${origin}`, { value, origin, path: '/' })
  }

  drop(name: string): void {
    for (const key of this.#cookies.keys()) if (key.startsWith(`${name} `)) this.#cookies.delete(key)
  }

  #keep(line: string, origin: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? '/'
    const expires = Date.parse(/;\s*expires=([^;]*)/i.exec(line)?.[1] ?? '')
    const key = `${name} ${path} ${origin}`
    if (/;\s*max-age=0/i.test(line) || expires < Date.now()) this.#cookies.delete(key)
    else this.#cookies.set(key, { value, origin, path })
  }
}

/** The redirect of an answer. */
export function locationOf(answer: Response): URL {
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`An answer with ${answer.status} leads nowhere.`)
  return new URL(location, answer.url)
}

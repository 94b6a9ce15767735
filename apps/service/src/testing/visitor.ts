import type { Service } from '../server/create-service.ts'
import type { DemoAccount } from '../server/demo-data.ts'

/** A browser without a page, for the servers of this machine: keeps cookies by their path, and follows no redirect. */
export class Visitor {
  protected jar = new Map<string, { readonly value: string; readonly path: string }>()

  async go(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', this.#cookiesFor(new URL(url).pathname))
    const answer = await fetch(url, { ...init, redirect: 'manual', headers })
    this.keep(answer)
    return answer
  }

  /** Stores the cookies of an answer. */
  keep(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? '/'
      const expires = Date.parse(/;\s*expires=([^;]*)/i.exec(line)?.[1] ?? '')
      if (/;\s*max-age=0/i.test(line) || expires < Date.now()) this.jar.delete(`${name} ${path}`)
      else this.jar.set(`${name} ${path}`, { value, path })
    }
  }

  /** The value of a cookie, as a thief has it. */
  cookie(name: string): string | undefined {
    return Array.from(this.jar).find(([key]) => key.startsWith(`${name} `))?.[1].value
  }

  /** The header with all cookies for the pages of a server. */
  get cookies(): string {
    return this.#cookiesFor('/')
  }

  put(name: string, value: string): void {
    this.jar.set(`${name} /`, { value, path: '/' })
  }

  #cookiesFor(pathname: string): string {
    return Array.from(this.jar)
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ')
  }
}

/** The redirect of an answer. */
export function locationOf(answer: Response): URL {
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`An answer with ${answer.status} leads nowhere.`)
  return new URL(location, answer.url)
}

/** A visitor of one service, who speaks JSON. */
export class ApiClient extends Visitor {
  readonly #url: string
  readonly #address: string

  /** @param address the service's address, if it differs from the public one */
  constructor(service: Pick<Service, 'url'>, address = service.url) {
    super()
    this.#url = service.url
    this.#address = address
  }

  /** The same browser, at another process of the service. */
  at(address: string): ApiClient {
    const client = new ApiClient({ url: this.#url }, address)
    client.jar = this.jar
    return client
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    return this.go(this.#address + path, {
      method,
      headers: { origin: this.#url, ...type, ...headers },
      ...sent,
    })
  }

  /** Sends a request and reads the JSON answer of any status. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await this.send(method, path, body)
    return { status: answer.status, body: await answer.json() }
  }

  async logIn({ email, password }: Pick<DemoAccount, 'email' | 'password'>): Promise<number> {
    return (await this.send('POST', '/api/auth/sign-in/email', { email, password })).status
  }
}

/** A logged-in client. */
export async function logInAs(service: Service, account: DemoAccount): Promise<ApiClient> {
  const client = new ApiClient(service)
  const status = await client.logIn(account)
  if (status !== 200) throw new Error(`The log-in was answered with ${status}.`)
  return client
}

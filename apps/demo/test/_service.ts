import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPartner, type Partner } from '../src/partner/create-partner.ts'
import { createPartnerKey, type PartnerKey } from '../src/partner/partner-key.ts'
import { type DemoAccount, demoAccounts } from '../src/service/auth/demo-accounts.ts'
import { type CreateServiceOptions, createService, type Service } from '../src/service/create-service.ts'
import { createLogger } from '../src/service/http/create-logger.ts'
import './_localhost.ts'

/** A second organization, whose employee must see nothing of the first. */
const otherAccount: DemoAccount = {
  email: 'pat.murphy@harbour.example',
  password: 'harbour-physio-2026',
  name: 'Pat Murphy',
  organization: 'Harbour Physio',
}

/** Who can log in during a test: two of one clinic, one of another. */
export const accounts = { ingrid: accountAt(0), samuel: accountAt(1), pat: otherAccount }

function accountAt(index: number): DemoAccount {
  const account = demoAccounts[index]
  if (!account) throw new Error('The demo has too few accounts.')
  return account
}

/** A service with a database of its own, and the partner that may post to it. */
export interface RunningService extends AsyncDisposable {
  readonly service: Service
  readonly key: PartnerKey
  readonly dataFolder: string
}

export async function startService(options: Partial<CreateServiceOptions> = {}): Promise<RunningService> {
  await using resources = new AsyncDisposableStack()
  const dataFolder = await mkdtemp(join(tmpdir(), 'service-link-demo-'))
  resources.defer(() => rm(dataFolder, { recursive: true, force: true }))
  const key = await createPartnerKey()
  const service = resources.use(
    await createService({
      port: 0,
      dataFolder,
      partners: [key.registration],
      demoAccounts: [...demoAccounts, otherAccount],
      logger: createLogger('silent'),
      ...options,
    }),
  )
  const owned = resources.move()
  return { service, key, dataFolder, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Starts the partner application for a service. */
export function startPartner({ service, key }: RunningService): Promise<Partner> {
  return createPartner({ serviceUrl: service.url, key, port: 0 })
}

/** A browser without a page: keeps cookies and speaks JSON. */
export class ApiClient {
  readonly #url: string
  #cookies = new Map<string, string>()

  constructor(service: Service) {
    this.#url = service.url
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        origin: this.#url,
        cookie: this.cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    this.keep(answer)
    return answer
  }

  /** Sends, and reads the answer as JSON whatever its status. */
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

  get cookie(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Takes over the cookies of an answer. */
  keep(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value)
    }
  }
}

/** A client that is logged in. */
export async function logInAs(service: Service, account: DemoAccount): Promise<ApiClient> {
  const client = new ApiClient(service)
  const status = await client.logIn(account)
  if (status !== 200) throw new Error(`The log-in was answered with ${status}.`)
  return client
}

import { listen } from '@service-link/service'
import type { ClientMetadata } from 'oidc-provider'
import { createEIdApp } from './e-id-app.ts'
import { type Application, type TestPerson, testPersons } from './e-id-page.ts'
import { providerConfiguration } from './provider-configuration.ts'

interface CreateEIdOptions {
  readonly port: number
  /** Address to listen on. Default `127.0.0.1`, which is another site than `localhost`. */
  readonly host?: string
  /** Claim of the ID token that carries the identity number, as each country names it. Default `ssn`. */
  readonly ssnClaim?: string
  readonly persons?: readonly TestPerson[]
  /** Called with each ID token. */
  readonly onIdToken?: (token: string) => void
}

export type EId = Awaited<ReturnType<typeof createEId>>

/**
 * Starts a national electronic ID for tests. It is a real OpenID provider, but its users choose an invented person
 * instead of proving their identity. Keys, codes and sessions end with it. Requests wait until its application is registered.
 */
export async function createEId(options: CreateEIdOptions) {
  const { host = '127.0.0.1', ssnClaim = 'ssn', persons = testPersons, onIdToken } = options
  const { Provider, errors } = await withoutWarnings(() => import('oidc-provider'))
  const { origin: url, port, answer, close } = await listen({ host, port: options.port })
  return {
    url,
    port,
    /** Registers its one application. */
    async register(client: ClientMetadata, application: Application) {
      const clients = [client]
      const configuration = await providerConfiguration({ clients, persons, application, ssnClaim })
      const provider = await withoutWarnings(() => new Provider(url, configuration))
      provider.on('grant.success', ({ body }) => onIdToken?.(Object(body).id_token))
      const app = createEIdApp(provider, persons, application, errors.OIDCProviderError)
      answer((request, env) => app.fetch(request, env))
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** A Node without long-term support, and records in memory: both are right here. */
const expectedWarning =
  /^oidc-provider WARNING: (Unsupported runtime|a quick start development-only in-memory)/

/** Runs work of the library without its warnings of these. */
async function withoutWarnings<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!expectedWarning.test(String(words[0]))) warn(...words)
  }
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}

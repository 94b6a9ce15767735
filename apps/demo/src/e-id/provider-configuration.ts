import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import type {
  Adapter,
  AdapterFactory,
  AdapterPayload,
  Configuration,
  JWKS,
  KoaContextWithOIDC,
} from 'oidc-provider'
import {
  assuranceLevels,
  eIdPolicy,
  loggedOutPage,
  logOutPage,
  problemPage,
  type TestPerson,
} from './e-id-page.ts'

interface ProviderConfigurationOptions {
  readonly store: AdapterFactory
  readonly persons: readonly TestPerson[]
  readonly ssnClaim: string
}

export const interactionPath = '/interaction'

/** Configures the issuer: authorization code with PKCE only, data in memory, own pages and keys. */
export async function providerConfiguration(options: ProviderConfigurationOptions): Promise<Configuration> {
  const { store, persons, ssnClaim } = options
  return {
    adapter: store,
    jwks: await createIssuerKeys(),
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    acrValues: Object.values(assuranceLevels),
    scopes: ['openid', 'profile'],
    claims: { openid: ['sub', ssnClaim], profile: ['name'] },
    // National services put the identity number into the ID token itself.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'private_key_jwt'],
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    ttl: {
      AuthorizationCode: 60,
      AccessToken: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 3600,
      Grant: 3600,
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => show(ctx, logOutPage(form), originsOf(postLogoutUriOf(ctx))),
        postLogoutSuccessSource: ctx => show(ctx, loggedOutPage()),
      },
    },
    findAccount: (_ctx, subject) => {
      const person = persons.find(known => known.subject === subject)
      if (!person) return undefined
      const { ssn, name } = person
      return { accountId: subject, claims: () => ({ sub: subject, name, [ssnClaim]: ssn }) }
    },
    interactions: { url: (_ctx, { uid }) => `${interactionPath}/${uid}` },
    loadExistingGrant: grantAll,
    renderError: (ctx, { error, error_description }) => show(ctx, problemPage(error, error_description)),
  }
}

/** Grants the scopes without a consent page, because the e-ID knows its customers. */
async function grantAll({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc
  if (!client || !session?.accountId) return undefined
  const known = session.grantIdFor(client.clientId)
  if (known !== undefined) return provider.Grant.find(known)
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid profile')
  await grant.save()
  return grant
}

async function show(ctx: KoaContextWithOIDC, page: unknown, origins: readonly string[] = []): Promise<void> {
  ctx.type = 'html'
  ctx.set('content-security-policy', eIdPolicy(origins))
  ctx.body = String(await page)
}

function postLogoutUriOf({ oidc }: KoaContextWithOIDC): unknown {
  return oidc.params?.post_logout_redirect_uri
}

/** Origin of an address as a list, for a Content-Security-Policy; empty if it is no URL. */
export function originsOf(address: unknown): readonly string[] {
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url ? [url.origin] : []
}

export type IssuerAlgorithm = 'RS256' | 'ES256'

async function createIssuerKeys(): Promise<JWKS> {
  const algorithms: readonly IssuerAlgorithm[] = ['RS256', 'ES256']
  const keys = await Promise.all(
    algorithms.map(async alg => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      return { ...(await exportJWK(privateKey)), alg, use: 'sig' as const, kid: crypto.randomUUID() }
    }),
  )
  return { keys } as JWKS
}

/** Makes the memory store of one issuer. The library's default store is shared by the whole process. */
export function createMemoryStore(): (model: string) => Adapter {
  const records = new Map<string, { readonly payload: AdapterPayload; readonly expiresAtMs: number }>()
  return model => {
    const present = () =>
      [...records].filter(([key, { expiresAtMs }]) => key.startsWith(`${model}:`) && expiresAtMs > Date.now())
    const find = (id: string) => present().find(([key]) => key === `${model}:${id}`)?.[1].payload
    return {
      async upsert(id, payload, expiresInSeconds = Number.POSITIVE_INFINITY) {
        for (const [key, { expiresAtMs }] of records) if (expiresAtMs <= Date.now()) records.delete(key)
        records.set(`${model}:${id}`, { payload, expiresAtMs: Date.now() + expiresInSeconds * 1000 })
      },
      find: async id => find(id),
      findByUid: async uid => present().find(([, { payload }]) => payload.uid === uid)?.[1].payload,
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = find(id)
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        records.delete(`${model}:${id}`)
      },
      async revokeByGrantId(grantId) {
        // Deletes in this model only: a continued log-in names the grant that it replaces.
        for (const [key, { payload }] of present()) if (payload.grantId === grantId) records.delete(key)
      },
    }
  }
}

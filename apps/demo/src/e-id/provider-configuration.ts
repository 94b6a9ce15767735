import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import type { ClientMetadata, Configuration, JWKS, KoaContextWithOIDC } from 'oidc-provider'
import { type Application, assuranceLevels, eIdPages, eIdPolicy, type TestPerson } from './e-id-page.ts'

interface ProviderConfigurationOptions {
  readonly clients: ClientMetadata[]
  readonly persons: readonly TestPerson[]
  readonly application: Application
  readonly ssnClaim: string
}

export const interactionPath = '/interaction'

/** Configures the issuer: authorization code with PKCE only, the library's store in memory, own pages and keys. */
export async function providerConfiguration(options: ProviderConfigurationOptions): Promise<Configuration> {
  const { clients, persons, application, ssnClaim } = options
  const pages = (ctx: KoaContextWithOIDC) => eIdPages(ctx.get('accept-language'), application)
  return {
    clients,
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
        logoutSource: (ctx, form) => show(ctx, pages(ctx).logOut(form)),
        postLogoutSuccessSource: ctx => show(ctx, pages(ctx).loggedOut()),
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
    renderError: (ctx, { error, error_description }) =>
      show(ctx, pages(ctx).problem(error, error_description)),
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

async function show(ctx: KoaContextWithOIDC, page: unknown): Promise<void> {
  ctx.type = 'html'
  ctx.set('content-security-policy', eIdPolicy)
  ctx.body = String(await page)
}

async function createIssuerKeys(): Promise<JWKS> {
  const keys = await Promise.all(
    ['RS256', 'ES256'].map(async alg => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      return { ...(await exportJWK(privateKey)), alg, use: 'sig' as const, kid: crypto.randomUUID() }
    }),
  )
  return { keys } as JWKS
}

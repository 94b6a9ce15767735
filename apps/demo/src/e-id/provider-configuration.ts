import { randomBytes } from 'node:crypto'
import type { AdapterFactory, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { eIdPolicy, loggedOutPage, logOutPage, problemPage } from './e-id-page.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import { assuranceLevels, type TestPerson } from './test-persons.ts'

/** What {@link providerConfiguration} needs. */
export interface ProviderConfigurationOptions {
  /** Where codes, sessions and clients are. */
  readonly store: AdapterFactory
  readonly persons: readonly TestPerson[]
  /** Claim of the ID token that carries the identity number. */
  readonly ssnClaim: string
}

/** Path of the page that asks who logs in. */
export const interactionPath = '/interaction'

/** How the issuer works: authorization code with PKCE only, nothing kept on disk, no page or key of the library's own. */
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

/** The service is the e-ID's own customer: nobody is asked to share what the log-in is for. */
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

/** The origin of an address, as a Content-Security-Policy names it; none for what is no address. */
export function originsOf(address: unknown): readonly string[] {
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url ? [url.origin] : []
}

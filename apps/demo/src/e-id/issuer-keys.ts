import { exportJWK, generateKeyPair } from 'jose'
import type { JWKS } from 'oidc-provider'

/** Algorithms that the test issuer can sign its ID tokens with. */
export type IssuerAlgorithm = 'RS256' | 'ES256'

/** Makes the issuer's signing keys, one an algorithm; they live as long as the process. */
export async function createIssuerKeys(): Promise<JWKS> {
  const algorithms: readonly IssuerAlgorithm[] = ['RS256', 'ES256']
  const keys = await Promise.all(
    algorithms.map(async alg => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      return { ...(await exportJWK(privateKey)), alg, use: 'sig' as const, kid: crypto.randomUUID() }
    }),
  )
  return { keys } as JWKS
}

import type { RequestListener } from 'node:http'
import type { Provider } from 'oidc-provider'
import { type FetchHandler, fetchListener } from '../http-server/listen.ts'
import { interactionPath } from './provider-configuration.ts'

/** Headers of what the library answers. */
const libraryHeaders = [
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
] as const

/** Where the issuer's own pages are. */
const ownAddress = new RegExp(`^(/|/favicon\\.ico|/assets/.*|${interactionPath}/.*)(\\?.*)?$`)

/** Gives each request to the issuer's own pages or to the library, which writes its answers by itself. */
export function eIdListener(provider: Provider, ownPages: FetchHandler): RequestListener {
  const answerOwn = fetchListener(ownPages)
  const answerByLibrary = provider.callback()
  return (request, response) => {
    if (ownAddress.test(request.url ?? '')) return answerOwn(request, response)
    for (const [name, value] of libraryHeaders) response.setHeader(name, value)
    return answerByLibrary(request, response)
  }
}

import { isThisMachine, ServiceLinkError } from '@service-link/protocol-core'

/** A launch brings a signed payload, and the settings name no address that it may be posted to. */
export class SsoUrlError extends ServiceLinkError<'ERR_SSO_URL'> {
  readonly code = 'ERR_SSO_URL'

  constructor() {
    super(
      'A signed payload is posted over https only, or over http to this machine. Set SsoUrl, or AppUrl, to such an address in the configuration file in the application root.',
    )
  }
}

/**
 * Makes sure that signed payloads, which are credentials, may be posted below an address: https, or http to this machine.
 *
 * @param ssoUrl base of `{sso_url}/partner/payload` (specification 4.1)
 * @throws {SsoUrlError}
 */
export function checkSsoUrl(ssoUrl: string): void {
  const url = URL.parse(ssoUrl)
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname, 'browser'))
  if (!isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new SsoUrlError()
}

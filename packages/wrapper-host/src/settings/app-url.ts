import { ServiceLinkError } from '@service-link/protocol-core'

/** The setting `AppUrl` is not the address of a web app. */
export class AppUrlError extends ServiceLinkError<'ERR_APP_URL'> {
  readonly code = 'ERR_APP_URL'

  constructor() {
    super(
      'The setting AppUrl is not an http or https address. Set it in the configuration file in the application root.',
    )
  }
}

/**
 * Reads the address of the web app.
 *
 * @throws {AppUrlError} when it is not an absolute http or https URL
 */
export function checkAppUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new AppUrlError()
  return url
}

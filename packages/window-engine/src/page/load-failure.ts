/** What codes of the browser mean. The first pattern counts. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/^ERR_CERT_DATE_INVALID$/, 'The site’s certificate has expired, or the clock of this machine is wrong'],
  [/^ERR_CERT_COMMON_NAME_INVALID$/, 'The site’s certificate is for another name'],
  [/^ERR_CERT_REVOKED$/, 'The site’s certificate has been revoked'],
  [/^ERR_CERT_AUTHORITY_INVALID$/, 'The site’s certificate is not trusted on this machine'],
  [/^ERR_CERT/, 'The site’s certificate is not accepted'],
  [
    /^ERR_SSL_CLIENT_AUTH|^ERR_BAD_SSL_CLIENT_AUTH/,
    'The site asks for a certificate of this user or machine',
  ],
  [/^ERR_SSL|^ERR_ECH|^ERR_QUIC/, 'The site does not speak TLS as the browser does'],
  [/^ERR_PROXY_CONNECTION_FAILED$/, 'The proxy of this machine cannot be reached'],
  [/^ERR_PROXY_CERTIFICATE/, 'The certificate of the proxy is not trusted on this machine'],
  [/^ERR_TUNNEL|^ERR_PROXY_AUTH|^HTTP ERROR 407$/, 'The proxy of this machine refuses the connection'],
  [/PROXY|^ERR_PAC/, 'The proxy of this machine does not work'],
  [/^ERR_BLOCKED_BY_ADMINISTRATOR$/, 'A policy of the browser blocks the address'],
  [/^ERR_BLOCKED/, 'Something on this machine blocks the address'],
  [/^ERR_INTERNET_DISCONNECTED$|NO_INTERNET$/, 'This machine has no network'],
  [/^ERR_NAME|^ERR_DNS|^DNS_PROBE/, 'The site’s name is not known here'],
  [/^ERR_CONNECTION_REFUSED$/, 'Nothing listens at the address'],
  [/TIMED_OUT$|^HTTP ERROR 504$/, 'The site did not answer in time'],
  [/^ERR_ADDRESS|^ERR_NETWORK/, 'The network has no way to the site'],
  [/^ERR_CONNECTION|^ERR_EMPTY_RESPONSE$|^ERR_SOCKET/, 'The connection to the site broke off'],
  [/^ERR_UNSAFE_PORT$/, 'The browser opens no address with this port'],
  [/^ERR_TOO_MANY_REDIRECTS$/, 'The site redirects without end'],
]

/**
 * Says why the browser does not show an address.
 *
 * @param code in the browser's words, with or without `net::`
 * @returns a sentence with the code. It never holds the address, or other words of a page.
 */
export function describeLoadFailure(code: string): string {
  const known = /^(?:net::)?([A-Z\d_ ]{1,64})$/.exec(code)?.[1]
  if (known === undefined) return 'The address cannot be reached.'
  const cause = causes.find(([pattern]) => pattern.test(known))?.[1] ?? 'The address cannot be reached'
  return `${cause} (${known}).`
}

import { defineError, docsUrlOf } from '@service-link/protocol-core/errors'
import type { RefusalCode } from '../errors/refusals.ts'
import { isHttpUrl } from '../http/page-text.ts'

/**
 * An option of `renderPayloadForm`, `submitPayload` or `postPayload` is wrong.
 *
 * @remedy Correct the option that the message names: an absolute http or https address, without a user name.
 * @retry no
 * @seenBy partner's developer
 */
export class PostOptionError extends defineError('ERR_POST_OPTION', (message: string) => ({
  message,
  shouldRetry: false,
})) {}

/** @throws {PostOptionError} when an option is not an address to post to */
export function assertPostAddress(name: string, address: unknown): asserts address is string {
  if (!isHttpUrl(address))
    throw new PostOptionError(
      `${name} must be ${address instanceof URL ? 'text: give its href' : 'an absolute http(s) URL'}.`,
    )
  const { username, password } = new URL(address)
  if (username || password) throw new PostOptionError(`${name} must not carry a user name or password.`)
}

const passingStatuses = [429, 502, 503, 504]

interface PostRefusal {
  /** HTTP status. */
  readonly status: number
  /** Code of the refusal; `undefined` if something other than the receiver answered, such as a proxy. */
  readonly refusalCode: RefusalCode | undefined
  /** Address that explains the refusal: the problem document's `type`, which the service chose. */
  readonly type: string | undefined
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined
  /** How long the service asks to wait, in seconds. */
  readonly retryAfterSeconds: number | undefined
}

/**
 * The service refused the payload; `refusalCode` says why.
 *
 * @remedy Look up `refusalCode`, whose entry `docsUrl` names. Without one, a proxy answered: look at `status`.
 * @retry if `shouldRetry`, with a new payload
 * @seenBy partner's developer
 */
export class PostRefusedError extends defineError(
  'ERR_POST_REFUSED',
  ({ detail, ...refusal }: PostRefusal & { detail?: string | undefined }) => {
    const { status, refusalCode, requestId } = refusal
    const id = requestId ? ` Request ${requestId}.` : ''
    return {
      message: `The service answered ${status}${refusalCode ? ` ${refusalCode}` : ''}${detail ? `: ${detail}` : '.'}${id}`,
      ...refusal,
      /** Whether a new payload, signed after `retryAfterSeconds`, may be taken: 429 and 503, and a proxy's 502 and 504. */
      shouldRetry: passingStatuses.includes(status),
    }
  },
) {
  /** The entry of `refusalCode`, where there is one. */
  override get docsUrl(): string | undefined {
    return this.refusalCode ? docsUrlOf(this.refusalCode) : super.docsUrl
  }
}

/**
 * The service did not answer in time, and may have taken the payload. Sign a new one.
 *
 * @remedy Sign a new payload and post it again; the same person is found.
 * @retry with a new payload
 * @seenBy partner's developer
 */
export class PostTimeoutError extends defineError('ERR_POST_TIMEOUT', (waitedMs: number) => ({
  message: `The service did not answer within ${waitedMs} ms. Sign a new payload and post it again.`,
  /** With a new payload. */
  shouldRetry: true,
  /** The time-out, in milliseconds. */
  waitedMs,
})) {}

const noTls = 'The port speaks no TLS. Look whether the address needs http or another port'

/** What to do about the runtime's codes of a connection. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at that port',
  ENOTFOUND: 'The name has no address. Look for a spelling mistake, or a missing DNS server or proxy',
  EAI_AGAIN: 'The DNS server does not answer',
  ECONNRESET: 'The connection was cut, by the service, a proxy or a firewall',
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ETIMEDOUT: 'Nothing answered, which a firewall may cause',
  UND_ERR_CONNECT_TIMEOUT: 'Nothing answered, which a firewall may cause',
  CERT_HAS_EXPIRED: 'The server’s certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The server’s certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The server’s certificate is self-signed. Trust it by NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'A private authority signed the certificate. Trust it by NODE_EXTRA_CA_CERTS',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The authority of the certificate is not known here. Trust it by NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The server sends its certificate without those between it and its authority',
}

/**
 * No connection, or it broke.
 *
 * @remedy Do what the message says of `reason`: check name, port, firewall, proxy or certificate.
 * @retry with a new payload
 * @seenBy partner's developer, administrator
 */
export class PostUnreachableError extends defineError(
  'ERR_POST_UNREACHABLE',
  (host: string, reason: string | undefined) => {
    const remedy = reason === undefined ? undefined : remedies[reason]
    return {
      message: `The service cannot be reached at ${host}${reason === undefined ? '' : `: ${reason}`}.${remedy === undefined ? '' : ` ${remedy}.`}`,
      /** With a new payload. */
      shouldRetry: true,
      /** Host and port of the address; never its path. */
      host,
      /** The runtime's code, such as `ECONNREFUSED`, `ENOTFOUND` or `CERT_HAS_EXPIRED`; `undefined` if it gives none. */
      reason,
    }
  },
) {}

/**
 * Something other than a receiver of the partner link answered.
 *
 * @remedy Post to the final address of the receiver, and sign for it. Look whether a proxy or a log-in page answers there.
 * @retry no
 * @seenBy partner's developer
 */
export class PostReplyError extends defineError('ERR_POST_REPLY', (message: string) => ({
  message,
  shouldRetry: false,
})) {}

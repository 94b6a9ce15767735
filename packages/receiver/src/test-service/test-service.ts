import type { RefusalCode, SigningKeySource } from '@service-link/jwt-payload'
import type { PartnerRegistration } from '@service-link/jwt-payload/steps'
import { type ArgsIssue, defineError } from '@service-link/protocol-core/errors'
import type { PayloadClaims } from '@service-link/protocol-core/person'
import type { WaitOptions } from '@service-link/protocol-core/time'
import type { ContactMatch } from '../stores/ports.ts'
import type { TestTokenKind } from './test-tokens.ts'

/** A payload that the service took. */
export interface TestDelivery {
  /** Id of the request that brought it, as in the header `x-request-id`. */
  readonly requestId: string
  /** The post, the opening of a one-time URL, or the log-in of {@link TestService.linkEmployee}. */
  readonly event: 'post' | 'open' | 'log-in'
  /** The page of a signed-in user, the log-in page, or a one-time URL. */
  readonly answer: 'signed-in' | 'log-in' | 'link'
  /** The verified claims: employee, organization and contact. */
  readonly payload: PayloadClaims
  /** What became of the contact, with the answer `signed-in`: selected, created, or the user must choose. */
  readonly contact?: ContactMatch | undefined
}

/** A request that the service refused. */
export interface TestRefusal {
  readonly requestId: string
  readonly code: RefusalCode
  /** HTTP status of the answer. */
  readonly status: number
  /** What is wrong and what to do, as in the answer. */
  readonly sentence: string
  /** The failing claims by path, such as `contact.id`, for `ERR_PAYLOAD_SHAPE`; else empty. */
  readonly issues: readonly ArgsIssue[]
}

/** An employee, by the claims `organizationId` and `employeeId`. */
export type TestEmployee = Pick<PayloadClaims, 'organizationId' | 'employeeId'>

/**
 * A service for one partner, on a port of this machine. Beside the post it answers tests in any language in JSON: `GET /deliveries`,
 * `GET /refusals`, `POST /tokens/<kind>`; to programs at its own host alone, and to no page of another site.
 */
export interface TestService extends AsyncDisposable {
  /** Address of the post, and the claim `aud` of its tokens: `http://127.0.0.1:<port>/partner/payload`. */
  readonly audience: string
  /** The claim `iss` of the partner. */
  readonly issuer: string
  /** The partner as it is registered, with public keys. */
  readonly registration: PartnerRegistration
  /** A key that is registered, for `signPayload`. Other languages read its `pem` (PKCS #8, ES256) and send its `kid`. */
  readonly signing: SigningKeySource & { readonly kind: 'pkcs8'; readonly pem: string; readonly kid: string }
  /** Every payload that was taken, in order. */
  deliveries(): readonly TestDelivery[]
  /** Every refused request, in order. */
  refusals(): readonly TestRefusal[]
  /**
   * Returns the first delivery that it has not returned before, or waits for it.
   *
   * @throws {NoDeliveryError} if none comes in time
   * @throws {ClosingError} at once when the service is closed
   */
  nextDelivery(options?: WaitOptions): Promise<TestDelivery>
  /** As {@link nextDelivery}, for refusals. */
  nextRefusal(options?: WaitOptions): Promise<TestRefusal>
  /**
   * Signs a token of the partner: `valid`, or one that is refused with the given code from any poster. The service has then
   * taken the token of `ERR_PAYLOAD_REPLAYED` once, without a delivery.
   *
   * @param claims overwrite those of the token, its times too; `null` leaves one out. Claims that are wrong themselves may cause
   *   another refusal, or hide that of `kind`. Default: a contact, employee and organization
   * @throws {ParameterError} if no token is made of this kind, or `claims` is no object that JSON can hold
   */
  makeToken(kind: TestTokenKind, claims?: Readonly<Record<string, unknown>>): Promise<string>
  /**
   * Does what a log-in does: links the employee to an account, and lets its waiting payload take effect.
   *
   * @throws {ParameterError} if another employee's payload waits, and none of this one
   */
  linkEmployee(employee: TestEmployee): Promise<void>
  /** Ends connections and waits. */
  close(): Promise<void>
}

/**
 * Nothing arrived in time.
 *
 * @remedy Read the end of the message: it says what became of the last request.
 * @retry no
 * @seenBy partner's developer
 */
export class NoDeliveryError extends defineError(
  'ERR_NO_DELIVERY',
  // `last` says what became of the last request.
  (waitedMs: number, last: string) => ({
    message: `Nothing new arrived within ${waitedMs} ms. ${last}`,
    waitedMs,
  }),
) {}

import { type FrameMessage, readFrameMessage } from '@service-link/protocol-core/embedding'
import { defineError, docsUrlOf } from '@service-link/protocol-core/errors'
import type { RefusalCode } from '../errors/refusals.ts'
import { assertOptions, wrongType } from '../http/page-text.ts'
import { assertPostAddress } from '../post/post-errors.ts'
import { readTimeout } from './page-options.ts'

/**
 * The service refused the post into the frame. The frame shows the reason.
 *
 * @remedy Look up `refusalCode`, whose entry `docsUrl` names.
 * @retry as that code says
 * @seenBy partner's developer
 */
export class FrameRefusedError extends defineError('ERR_FRAME_REFUSED', (refusalCode: RefusalCode) => ({
  message: `The service refused the payload: ${refusalCode}.`,
  /** The code of the refusal. */
  refusalCode,
})) {
  /** The entry of `refusalCode`. */
  override get docsUrl(): string {
    return docsUrlOf(this.refusalCode)
  }
}

/**
 * The frame did not show the person in time: it needs a log-in or a choice, or the answer may not stand in this page.
 *
 * @remedy Show the frame, so that the user can log in or choose. Have the origin of your page registered for frames.
 * @retry by the user
 * @seenBy partner's developer
 */
export class FrameTimeoutError extends defineError('ERR_FRAME_TIMEOUT', (waitedMs: number) => ({
  message: `The frame did not show the person within ${waitedMs} ms.`,
  /** The time-out, in milliseconds. */
  waitedMs,
})) {}

/** An `<iframe>` of the page. */
export interface FrameElement {
  readonly contentWindow: unknown
}

/** Options of {@link watchFrame}. */
export interface WatchFrameOptions {
  /** Ends the watch. Default: it lasts as long as the page. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Calls with each message of the service in a frame of this page. The registration must have this page's origin in `frameOrigins`.
 * Takes messages of this frame and the service's origin alone: no other frame or site can send one. A page of the frame that goes cannot
 * say so: `cleared` then comes with the first message of the next one.
 *
 * @param frame the `<iframe>` into which payloads are posted
 * @param url address of the receiver, `{sso_url}/partner/payload`
 * @param onMessage `loaded`, `personShown` with `contactId`, `refused` with `code`, or `cleared`
 * @throws {ParameterError} if a parameter is of another type, or an option is not known
 * @throws {PostOptionError} if `url` is wrong
 * @throws the signal's reason, if it has aborted already
 * @example
 * ```ts
 * import { watchFrame } from '@service-link/jwt-payload/browser'
 *
 * watchFrame(iframe, 'https://sso.example/partner/payload', message => {
 *   status.textContent = message.event === 'personShown' ? `Shown: ${message.contactId}` : 'Nobody is shown.'
 * })
 * ```
 */
export function watchFrame(
  frame: FrameElement,
  url: string,
  onMessage: (message: FrameMessage) => void,
  options: WatchFrameOptions = {},
): void {
  assertOptions(options, [], ['signal'])
  readTimeout(options)
  const { signal } = options
  assertFrame(frame, url)
  if (typeof onMessage !== 'function') throw wrongType('onMessage', onMessage, 'a function')
  signal?.throwIfAborted()
  const service = new URL(url).origin
  let isShown = false
  const tell = (message: FrameMessage) => {
    isShown = message.event === 'personShown'
    onMessage(message)
  }
  const listener = ({ origin, source, data }: PageMessage) => {
    // A removed frame has no window, like a message whose sender is gone.
    if (origin !== service || !source || source !== frame.contentWindow) return
    const message = readFrameMessage(data)
    if (!message) return
    if (isShown && (message.event === 'loaded' || message.event === 'refused')) tell({ event: 'cleared' })
    tell(message)
  }
  page.addEventListener('message', listener, signal ? { signal } : {})
}

/** Options of {@link waitForPerson}. */
export interface WaitForPersonOptions extends WatchFrameOptions {
  /** Longest wait in milliseconds, 1 to 2,147,483,647. Default 30,000. */
  readonly timeoutMs?: number | undefined
}

/**
 * Waits until the service in a frame shows a person on the screen. Call it before the post: only later messages count.
 *
 * @param frame the `<iframe>` into which the payload is posted
 * @param url address of the receiver, `{sso_url}/partner/payload`
 * @param contactId the payload's `contact.id`
 * @throws {FrameRefusedError} if the service refuses the payload
 * @throws {FrameTimeoutError} if the person is not shown in time
 * @throws {ParameterError} if a parameter is of another type, or an option is not known
 * @throws {PostOptionError} if `url` is wrong
 * @throws the signal's reason, when it aborts
 * @example
 * ```ts
 * import { submitPayload, waitForPerson } from '@service-link/jwt-payload/browser'
 *
 * const url = 'https://sso.example/partner/payload'
 * const shown = waitForPerson(iframe, url, patient.id)
 * await Promise.all([shown, submitPayload(url, token, { target: 'service' })])
 * ```
 */
export async function waitForPerson(
  frame: FrameElement,
  url: string,
  contactId: string,
  options: WaitForPersonOptions = {},
): Promise<void> {
  assertOptions(options, [], ['timeoutMs', 'signal'])
  const { signal } = options
  const timeoutMs = readTimeout(options)
  assertFrame(frame, url)
  if (typeof contactId !== 'string') throw wrongType('contactId', contactId, 'text')
  signal?.throwIfAborted()
  const ended = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const onMessage = (message: FrameMessage) => {
        if (message.event === 'personShown' && message.contactId === contactId) resolve()
        if (message.event === 'refused') reject(new FrameRefusedError(message.code as RefusalCode))
      }
      watchFrame(frame, url, onMessage, { signal: ended.signal })
      timer = setTimeout(() => reject(new FrameTimeoutError(timeoutMs)), timeoutMs)
      signal?.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
    })
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}

function assertFrame(frame: FrameElement, url: string): void {
  if (!('contentWindow' in Object(frame))) throw wrongType('frame', frame, 'an <iframe> element')
  assertPostAddress('url', url)
}

/** The used part of a message event. It is written out because an importer may have no DOM types. */
interface PageMessage {
  readonly origin: string
  readonly source: unknown
  readonly data: unknown
}

/** The window of the page that runs this script. */
const page = globalThis as unknown as {
  addEventListener(
    type: 'message',
    listener: (message: PageMessage) => void,
    until: { readonly signal?: AbortSignal },
  ): void
}

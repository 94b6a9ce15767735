import type { IncomingMessage } from 'node:http'
import {
  type Brand,
  compareVersions,
  type FourPartVersion,
  formatVersion,
  isThisMachine,
  parseVersion,
  type Settings,
  VersionError,
} from '@service-link/protocol-core'
import type { OpenExternal } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import { failureReason, kindOf } from '../log/failure-reason.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import type { WrapperTexts } from '../window/texts.ts'

/** Options of {@link offerUpdate}. */
export interface OfferUpdateOptions {
  readonly hosted: HostedWindow
  readonly brand: Brand
  /** The running version. */
  readonly version: string
  readonly settings: Settings
  readonly texts: WrapperTexts
  readonly openExternal: OpenExternal
  readonly report: ReportEvent
  /** Gives up the check. */
  readonly signal: AbortSignal
}

/**
 * Looks for a newer version in the background, if the settings allow it. A notice above the page then has a link, which the user's
 * browser opens (specification 2.2, CheckForUpdates).
 *
 * @returns its disposal waits for the end of the check
 */
export function offerUpdate(options: OfferUpdateOptions): AsyncDisposable {
  const ended = offer(options).catch(error =>
    options.report({ type: 'update-check-failed', reason: kindOf(error) }),
  )
  return { [Symbol.asyncDispose]: () => ended }
}

async function offer(options: OfferUpdateOptions): Promise<void> {
  const { hosted, brand, version, settings, texts, openExternal, report, signal } = options
  const { CheckForUpdates, UpdateUrl: updateUrl } = settings
  if (!CheckForUpdates || !/^https?:/i.test(updateUrl)) return
  const { checkForUpdate } = await import('./offer-update.ts')
  const { application } = brand
  const update = await checkForUpdate({ updateUrl, application, version, report, signal })
  if (!update || signal.aborted) return
  hosted.notices.post({
    text: texts.updateAvailable(update.version),
    followLabel: texts.updateFollow,
    dismissLabel: texts.noticeDismiss,
    onFollow: () => openExternal(update.url),
  })
}

/** A newer version and the address of its installer. */
export interface AvailableUpdate {
  /** Four parts. */
  readonly version: string
  /** Address of the installer. The wrapper downloads nothing. */
  readonly url: string
}

/** Options of {@link checkForUpdate}. */
export interface CheckForUpdateOptions {
  /** The setting `UpdateUrl`. */
  readonly updateUrl: string
  /** The brand's `application`, first part of the installer's name. */
  readonly application: string
  /** The version that runs, four parts. */
  readonly version: string
  /** Gives up the check without a report. */
  readonly signal: AbortSignal
  /** Gets the reason of a failure, and the available version. */
  readonly report: ReportEvent
  /** Longest wait for the whole answer in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
}

/** An answer has one line. */
const maxAnswerBytes = 512

const maxRedirects = 3

/** Installers ignore the fourth part of a version. */
const comparedParts = 3

/**
 * Asks the update site for a newer version: `GET <UpdateUrl>/msi/version.txt`, whose first line is a four-part version. The first
 * three parts count. Downloads and runs nothing. Asks nothing without an `UpdateUrl`.
 *
 * Site and redirects, at most three, must be https or on this machine. The link always leads to the site of the setting. Node uses a
 * proxy of the environment with `NODE_USE_ENV_PROXY=1`.
 *
 * @returns the newer version. Nothing when there is none, or after a failure, which is reported
 * @throws {VersionError} when `version` is not four numbers
 */
export async function checkForUpdate(options: CheckForUpdateOptions): Promise<AvailableUpdate | undefined> {
  const own = parseVersion(options.version)
  // Empty, or a placeholder such as `{webwrapper_site}`.
  const site = URL.parse(options.updateUrl)
  if (!site) return undefined
  const newest = await askSite(site, options)
  if (!newest || compareVersions(newest, own, comparedParts) <= 0) return undefined
  const version = formatVersion(newest)
  options.report({ type: 'update-available', version })
  return { version, url: updateFile(site, `${options.application}.${version}.msi`).href }
}

async function askSite(
  site: URL,
  { application, version, signal, report, timeoutMs = 15_000 }: CheckForUpdateOptions,
) {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const file = updateFile(site, 'version.txt')
    if (!isSafeUrl(file)) throw new NoTextError('the setting UpdateUrl is not an https address')
    const text = await getSmallText(file, {
      userAgent: `${application}/${version}`,
      maxBytes: maxAnswerBytes,
      maxRedirects,
      signal: AbortSignal.any([signal, timeout]),
    })
    signal.throwIfAborted()
    const newest = readVersionLine(text)
    if (!newest) throw new NoTextError('the site answered with something else than a version')
    return newest
  } catch (error) {
    if (!signal.aborted) report({ type: 'update-check-failed', reason: reasonOf(error, timeout) })
    return undefined
  }
}

function reasonOf(error: unknown, timeout: AbortSignal): string {
  if (error instanceof NoTextError) return error.message
  if (timeout.aborted) return 'the site did not answer in time'
  return `the site cannot be reached (${failureReason(error)})`
}

/**
 * Reads the answer of the update site: a four-part version in the first line. Ignores the rest.
 *
 * @param text beginning of the answer
 * @returns nothing for any other answer, such as the log-in page of a network
 */
function readVersionLine(text: string): FourPartVersion | undefined {
  const line = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? ''
  try {
    return parseVersion(line)
  } catch (error) {
    if (error instanceof VersionError) return undefined
    throw error
  }
}

/**
 * Makes the address of a file below the path of the setting, without user info and query. It stays on that site, even if the path
 * begins with several slashes.
 */
export function updateFile(site: URL, name: string): URL {
  const file = new URL(site)
  // Two slashes at the beginning of a relative address would name another host.
  file.pathname = `${site.pathname.replace(/\/+$/, '')}/msi/${name}`
  file.username = ''
  file.password = ''
  file.search = ''
  file.hash = ''
  return file
}

/** The site sent no such text. The message is a clause for people, without an address. */
export class NoTextError extends Error {}

/** Options of {@link getSmallText}. */
export interface GetSmallTextOptions {
  readonly userAgent: string
  /** Reads at most so much of the answer. */
  readonly maxBytes: number
  readonly maxRedirects: number
  /** Gives up. */
  readonly signal: AbortSignal
}

/**
 * Gets the beginning of a short text over http, without cookies and credentials. Follows redirects only to safe addresses without a
 * log-in. Closes the connection.
 *
 * @param url without user info
 * @throws {NoTextError} when the answer is not the text
 * @throws the network's error, or an `AbortError`
 */
export async function getSmallText(url: URL, options: GetSmallTextOptions): Promise<string> {
  let target = url
  for (let redirects = 0; redirects <= options.maxRedirects; redirects++) {
    const response = await get(target, options)
    try {
      if (response.statusCode === 200) return await readBeginning(response, options.maxBytes)
      target = redirectOf(response, target)
    } finally {
      // Ends the connection.
      response.destroy()
    }
  }
  throw new NoTextError('the site redirects too often')
}

async function get(url: URL, { userAgent, signal }: GetSmallTextOptions): Promise<IncomingMessage> {
  const client = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const headers = { 'user-agent': userAgent, accept: 'text/plain', 'cache-control': 'no-cache' }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  client.get(url, { headers, signal }, resolve).on('error', reject)
  return promise
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL {
  if (![301, 302, 303, 307, 308].includes(statusCode))
    throw new NoTextError(`the site answered with status ${statusCode}`)
  const to = headers.location ? URL.parse(headers.location, from) : null
  if (!to || !isSafeUrl(to) || (from.protocol === 'https:' && to.protocol !== 'https:'))
    throw new NoTextError('the site redirects to an address that is not https')
  // Node would send user name and password as a log-in.
  if (to.username !== '' || to.password !== '')
    throw new NoTextError('the site redirects to an address with a log-in')
  return to
}

async function readBeginning(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}

/** Tells whether nobody can change the answer on its way: https, or http to this machine. */
export function isSafeUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))
}

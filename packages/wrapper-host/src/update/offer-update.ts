import {
  type Brand,
  compareVersions,
  type FourPartVersion,
  formatVersion,
  isThisMachine,
  parseVersion,
  type Settings,
} from '@service-link/protocol-core'
import { Deadline } from '@service-link/protocol-core/time'
import {
  EngineError,
  type EngineWindow,
  type FetchedText,
  type FetchTextOptions,
  type OpenExternal,
} from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import { failureReason } from '../log/failure-reason.ts'
import { fillText, type WrapperTexts } from '../texts/wrapper-texts.ts'
import type { ShownTray } from '../tray/show-tray.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'

interface OfferUpdateOptions {
  readonly hosted: HostedWindow
  readonly tray: Pick<ShownTray, 'tell'>
  readonly brand: Brand
  readonly version: string
  readonly settings: Settings
  readonly texts: WrapperTexts
  readonly openExternal: OpenExternal
  readonly report: ReportEvent
  readonly signal: AbortSignal
}

/**
 * Looks for a newer version in the background, if the settings allow it. A line below the page and a notice of the icon then
 * have a link, which the user's browser opens (spec 2.2, CheckForUpdates). Resolves at the end of the check; never rejects.
 */
export async function offerUpdate(options: OfferUpdateOptions): Promise<void> {
  const { hosted, tray, brand, version, settings, texts, openExternal, report, signal } = options
  if (!settings.CheckForUpdates) return
  await firstLoad(hosted.window, signal)
  const { application } = brand
  const fetchText: FetchText = (url, bounds) => hosted.window.fetchText(url, bounds)
  const asked = { updateUrl: settings.UpdateUrl, application, version }
  const update = await checkForUpdate({ ...asked, fetchText, report, signal })
  if (!update || signal.aborted) return
  const notice = {
    text: fillText(texts.updateAvailable, { version: update.version }),
    followLabel: texts.updateFollow,
    dismissLabel: texts.noticeDismiss,
  }
  const follow = () => openExternal(update.url)
  hosted.postNotice(notice, follow)
  tray.tell({ title: brand.displayName, text: notice.text, onChosen: follow })
}

/** Waits for the first page of the web app: the check must not delay it. */
async function firstLoad(window: Pick<EngineWindow, 'on'>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = window.on('loaded', () => resolve())
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  await promise
  stop()
}

type FetchText = (url: string, options: FetchTextOptions) => Promise<FetchedText>

interface CheckForUpdateOptions extends Pick<OfferUpdateOptions, 'version' | 'report' | 'signal'> {
  readonly updateUrl: string
  /** The brand's `application`, first part of the installer's name. */
  readonly application: string
  /** Asks through the window's network, as {@link EngineWindow.fetchText}. */
  readonly fetchText: FetchText
  /** Longest wait for the whole answer in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
}

/** An answer has one line. */
const maxAnswerBytes = 512

/** Installers ignore the fourth part of a version. */
const comparedParts = 3

/**
 * Asks the update site for a newer version: `GET <UpdateUrl>/msi/version.txt`, whose first line is a four-part version. The first
 * three parts count. Downloads and runs nothing. Asks nothing without an `UpdateUrl`.
 *
 * Site and redirects, at most three, must be https or on this machine. The link always leads to the site of the setting.
 * Returns version and installer's address. Nothing when there is no newer
 * version, or after a failure, which is reported.
 */
export async function checkForUpdate(options: CheckForUpdateOptions) {
  const { updateUrl, application, version, fetchText, signal, report, timeoutMs = 15_000 } = options
  // Empty, or a placeholder such as `{webwrapper_site}`.
  const site = URL.parse(updateUrl)
  if (!site) return undefined
  const deadline = new Deadline(timeoutMs, signal)
  try {
    const file = updateFile(site, 'version.txt')
    if (!isSafeUrl(file)) throw new NoTextError('the setting UpdateUrl is not an https address')
    const text = await getText(file, fetchText, deadline)
    signal.throwIfAborted()
    const newest = readVersionLine(text)
    if (compareVersions(newest, parseVersion(version), comparedParts) <= 0) return undefined
    const available = formatVersion(newest)
    report({ type: 'update-available', version: available })
    return { version: available, url: updateFile(site, `${application}.${available}.msi`).href }
  } catch (error) {
    if (!signal.aborted) report({ type: 'update-check-failed', reason: reasonOf(error) })
    return undefined
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NoTextError) return error.message
  if (!(error instanceof EngineError)) return `the site cannot be reached (${failureReason(error)})`
  if (error.fault === 'timeout') return 'the site did not answer in time'
  if (error.fault === 'not-available') return 'the engine of the window cannot ask the site'
  const code = /\((ERR_[A-Z\d_]{1,64})\)/.exec(error.message)?.[1]
  return `the site cannot be reached (${code ?? error.fault})`
}

/** A network may answer with its log-in page. */
function readVersionLine(text: string): FourPartVersion {
  try {
    return parseVersion(text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? '')
  } catch {
    throw new NoTextError('the site answered with something else than a version')
  }
}

/** Makes the address of a file below the path of the setting, without user info and query. */
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
class NoTextError extends Error {}

/** Gets the beginning of a text, through redirects. */
async function getText(url: URL, fetchText: FetchText, deadline: Deadline, redirects = 3): Promise<string> {
  const { leftMs: timeoutMs, signal } = deadline
  const { status, location, text } = await fetchText(url.href, {
    maxBytes: maxAnswerBytes,
    timeoutMs,
    signal,
  })
  if (status === 200) return text
  if (![301, 302, 303, 307, 308].includes(status))
    throw new NoTextError(`the site answered with status ${status}`)
  if (redirects === 0) throw new NoTextError('the site redirects too often')
  const target = location === undefined ? null : URL.parse(location, url)
  if (!target || !isSafeUrl(target))
    throw new NoTextError('the site redirects to an address that is not https')
  return getText(target, fetchText, deadline, redirects - 1)
}

/** Tells whether nobody can change the answer on its way. User name and password would be sent as a log-in. */
function isSafeUrl({ protocol, hostname, username, password }: URL): boolean {
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))
  return isSafe && username === '' && password === ''
}

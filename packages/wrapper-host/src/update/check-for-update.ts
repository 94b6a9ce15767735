import {
  compareVersions,
  type FourPartVersion,
  formatVersion,
  parseVersion,
  VersionError,
} from '@service-link/protocol-core'
import type { ReportEvent } from '../log/events.ts'
import { failureReason } from '../log/failure-reason.ts'
import { getSmallText, isSafeUrl, NoTextError } from './get-small-text.ts'

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
 * three parts count. Nothing is downloaded or run, and nothing is asked without an `UpdateUrl`.
 *
 * The site must be https, or on this machine, and so must the targets of at most three redirects. The link always leads to the
 * site of the setting. Node uses a proxy of the environment with `NODE_USE_ENV_PROXY=1`.
 *
 * @returns the newer version; nothing when there is none, or when the check failed, which is reported
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
 * Reads the answer of the update site: the first line is a four-part version; the rest is ignored.
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
 * Address of a file of the update site, below the path of the setting. It stays on that site, also if the path begins with
 * several slashes, and has no user info and no query.
 */
export function updateFile(site: URL, name: string): URL {
  const file = new URL(site)
  // A relative address with two slashes at its beginning would name another host.
  file.pathname = `${site.pathname.replace(/\/+$/, '')}/msi/${name}`
  file.username = ''
  file.password = ''
  file.search = ''
  file.hash = ''
  return file
}

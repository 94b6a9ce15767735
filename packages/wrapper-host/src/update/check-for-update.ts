import { compareVersions, formatVersion, parseVersion } from '@service-link/protocol-core'
import type { ReportEvent } from '../log/events.ts'
import { failureReason } from '../log/failure-reason.ts'
import { getSmallText, NoTextError } from './get-small-text.ts'
import { readVersionLine } from './read-version-line.ts'
import { isSafeUpdateUrl, readUpdateUrl, updateFile } from './update-url.ts'

/** A newer version and where its installer is. */
export interface AvailableUpdate {
  /** Four parts. */
  readonly version: string
  /** Address of the installer, for the user to follow; nothing is downloaded. */
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
  /** Gives the check up: nothing is reported then. */
  readonly signal: AbortSignal
  /** Told why the check failed, and of the version that is available. */
  readonly report: ReportEvent
  /** Longest wait for the whole answer in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
}

/** An answer has one line; what is longer is none. */
const maxAnswerBytes = 512

const maxRedirects = 3

/** Installers do not tell versions apart by the fourth part. */
const comparedParts = 3

/**
 * Asks the update site whether there is a newer version: `GET <UpdateUrl>/msi/version.txt`, whose first line is a four-part
 * version. It is newer by its first three parts. Nothing is downloaded or run, and nothing is asked without an `UpdateUrl`.
 *
 * The site must be https, or on this machine; redirects lead to such addresses only, at most three, and the link is always
 * to the site that is set. A proxy of the environment is used when Node is told so with `NODE_USE_ENV_PROXY=1`.
 *
 * @returns the newer version; nothing when there is none, or when the site does not say. Never throws for what the network
 *   does: that is reported
 * @throws {VersionError} when `version` is not four numbers
 */
export async function checkForUpdate(options: CheckForUpdateOptions): Promise<AvailableUpdate | undefined> {
  const own = parseVersion(options.version)
  const site = readUpdateUrl(options.updateUrl)
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
    if (!isSafeUpdateUrl(file)) throw new NoTextError('the setting UpdateUrl is not an https address')
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

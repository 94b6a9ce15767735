import type { ReportEvent } from '../log/wrapper-event.ts'

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
  /** Longest wait for the site in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
}

/** Asks the update site whether there is a newer version. Never throws for what the network does. */
export async function checkForUpdate(_options: CheckForUpdateOptions): Promise<AvailableUpdate | undefined> {
  return undefined
}

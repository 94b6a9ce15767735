import type { LogLevel, ReportEvent } from './wrapper-event.ts'

/** Options of {@link openLog}. */
export interface OpenLogOptions {
  /** Folder of the log, `<user folder>/logs`; made when missing, for this user only. */
  readonly folder: string
  /** The least that is written; `off`: nothing, and no file is made. */
  readonly level: LogLevel | 'off'
  /** Told once when the log cannot be written. Default: nobody. */
  readonly onFault?: ReportEvent
}

/** The log of a wrapper. */
export interface WrapperLog extends AsyncDisposable {
  /** Writes an event down; never throws. What it has taken is in the file when it returns, so a crash loses nothing. */
  readonly report: ReportEvent
}

/** Opens the log of a wrapper: `wrapper.log` in its folder. Never rejects for what the disk does: that is told to `onFault`. */
export async function openLog(_options: OpenLogOptions): Promise<WrapperLog> {
  return { report: () => undefined, [Symbol.asyncDispose]: async () => undefined }
}

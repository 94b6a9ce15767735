import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { failureReason } from '../failure-reason.ts'
import { appendRotating, type RotatingFile } from './append-rotating.ts'
import { cleanEvent } from './clean-event.ts'
import { levelOf } from './level-of.ts'
import type { LogLevel, ReportEvent } from './wrapper-event.ts'

/** Options of {@link openLog}. */
export interface OpenLogOptions {
  /** Folder of the log, `<user folder>/logs`; made when missing, for this user only. */
  readonly folder: string
  /** The least that is written; `off`: nothing, and no file is made. */
  readonly level: LogLevel | 'off'
  /** Told once when the log cannot be written. Default: nobody. */
  readonly onFault?: ReportEvent
  /** Largest size of one file in bytes. Default 1 MiB. */
  readonly maxFileBytes?: number
  /** How many files are kept, the newest included. Default 5. */
  readonly maxFiles?: number
}

/** The log of a wrapper. */
export interface WrapperLog extends AsyncDisposable {
  /** Writes an event down; never throws. What it has taken is in the file when it returns, so a crash loses nothing. */
  readonly report: ReportEvent
}

/**
 * Opens the log of a wrapper: `wrapper.log` in its folder, JSON lines with `level`, `time`, `pid`, `event` and the event's
 * facts; older ones are `wrapper.1.log` and so on. All versions of the wrapper and all of a user's sessions share it. Never
 * rejects for what the disk does: that is told to `onFault`, and tried again with the next event.
 */
export async function openLog(options: OpenLogOptions): Promise<WrapperLog> {
  if (options.level === 'off')
    return { report: () => undefined, [Symbol.asyncDispose]: async () => undefined }
  const { pino } = await import('pino')
  const destination = new LogFile(options)
  const logger = pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: level => ({ level }) },
    },
    destination,
  )
  return {
    report: event => {
      const { type, ...facts } = cleanEvent(event)
      logger[levelOf(event)]({ event: type, ...facts })
    },
    [Symbol.asyncDispose]: async () => destination.close(),
  }
}

/** What pino writes to. A log is there to help: its own faults disturb nobody. */
class LogFile {
  readonly #options: OpenLogOptions
  readonly #file: RotatingFile
  #isClosed = false
  #isCut = false
  #isFaultTold = false

  constructor(options: OpenLogOptions) {
    this.#options = options
    this.#file = {
      pathOf: generation => join(options.folder, `wrapper${generation === 0 ? '' : `.${generation}`}.log`),
      passingPath: join(options.folder, 'wrapper.passing.log'),
      maxFileBytes: options.maxFileBytes ?? 1024 * 1024,
      maxFiles: options.maxFiles ?? 5,
    }
  }

  write(line: string): void {
    if (this.#isClosed) return
    try {
      mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 })
      // A full disk may have taken a part of the last line.
      appendRotating(this.#file, this.#isCut ? `\n${line}` : line)
      this.#isCut = false
    } catch (error) {
      this.#isCut = true
      this.#tellFault(failureReason(error))
    }
  }

  close(): void {
    this.#isClosed = true
  }

  #tellFault(reason: string): void {
    if (this.#isFaultTold) return
    this.#isFaultTold = true
    this.#options.onFault?.({ type: 'log-unwritable', reason })
  }
}

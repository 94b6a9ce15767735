import { closeSync, fstatSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  cleanEvent,
  describeEvent,
  type LogLevel,
  levelOf,
  type ReportEvent,
  type WrapperEvent,
} from './events.ts'
import { failureReason, kindOf } from './failure-reason.ts'

/** Options of {@link openLog}. */
interface OpenLogOptions {
  /** Folder of the log, `<user folder>/logs`; made when missing, for this user only. */
  readonly folder: string
  /** Least important level that is written. `off`: no file is made. */
  readonly level: LogLevel | 'off'
  /** Gets `log-unwritable` once if the log cannot be written. Default: nobody. */
  readonly onFault?: ReportEvent
  /** Largest size of one file in bytes. Default 1 MiB. */
  readonly maxFileBytes?: number
  /** Number of files, the newest included. Default 5. */
  readonly maxFiles?: number
}

/** The log of a wrapper. */
interface WrapperLog extends Disposable {
  /** Writes an event. Never throws. The line is in the file when this returns, so a crash loses nothing. */
  readonly report: ReportEvent
}

/** From the most to the least important. */
const levels: readonly (LogLevel | 'off')[] = ['off', 'error', 'warn', 'info', 'debug']

/**
 * Opens the log of a wrapper: `wrapper.log` in its folder, JSON lines with `level`, `time`, `pid`, `event` and the event's
 * facts. Older files are `wrapper.1.log` and so on. All versions and login sessions of a user share them. `onFault` gets a fault of
 * the disk. The next event tries again.
 */
export function openLog({ level: least, ...options }: OpenLogOptions): WrapperLog {
  const file = rotatingFile(options)
  let isClosed = false
  let isCut = false
  let isFaultTold = false
  return {
    report(reported) {
      const level = levelOf(reported)
      if (isClosed || levels.indexOf(level) > levels.indexOf(least)) return
      const { type: event, ...facts } = cleanEvent(reported)
      const entry = { level, time: new Date().toISOString(), pid: process.pid, event, ...facts }
      try {
        mkdirSync(options.folder, { recursive: true, mode: 0o700 })
        // A full disk may have cut the last line short.
        appendRotating(file, `${isCut ? '\n' : ''}${JSON.stringify(entry)}\n`)
        isCut = false
      } catch (error) {
        isCut = true
        if (!isFaultTold) options.onFault?.({ type: 'log-unwritable', reason: failureReason(error) })
        isFaultTold = true
      }
    },
    [Symbol.dispose]() {
      isClosed = true
    },
  }
}

/** A file of bounded size and its older generations. */
interface RotatingFile {
  /** Path of a generation: 0 is the newest. */
  pathOf(generation: number): string
  /** Path of the former newest file while the older ones are renamed. */
  readonly passingPath: string
  /** A line that would exceed this size begins a new file. */
  readonly maxFileBytes: number
  readonly maxFiles: number
}

function rotatingFile({
  folder,
  maxFileBytes = 1024 * 1024,
  maxFiles = 5,
}: Omit<OpenLogOptions, 'level'>): RotatingFile {
  return {
    pathOf: generation => join(folder, `wrapper${generation === 0 ? '' : `.${generation}`}.log`),
    passingPath: join(folder, 'wrapper.passing.log'),
    maxFileBytes,
    maxFiles,
  }
}

/**
 * Appends to the file and closes it, so that other processes may write to it or delete it at any time. If the newest file cannot be
 * renamed, as on Windows while another program holds it, it may grow to twice its size. If two processes begin a new file at the
 * same moment, each may drop an old one.
 *
 * @throws the file system's error. A part of the text may be in the file then
 */
function appendRotating(file: RotatingFile, text: string): void {
  const bytes = Buffer.from(text)
  if (appendIfFits(file, bytes, file.maxFileBytes)) return
  try {
    rotate(file)
  } catch (error) {
    if (appendIfFits(file, bytes, 2 * file.maxFileBytes)) return
    throw error
  }
  appendIfFits(file, bytes, Number.POSITIVE_INFINITY)
}

function appendIfFits({ pathOf }: RotatingFile, bytes: Uint8Array, maxFileBytes: number): boolean {
  const handle = openSync(pathOf(0), 'a', 0o600)
  try {
    if (fstatSync(handle).size + bytes.length > maxFileBytes) return false
    for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written)
    return true
  } finally {
    closeSync(handle)
  }
}

/** Renames the newest file first. If that fails, no older file is lost. */
function rotate(file: RotatingFile): void {
  // A process may have ended between the two steps.
  if (lstatSync(file.passingPath, { throwIfNoEntry: false })?.isFile()) makeOlder(file)
  renameSync(file.pathOf(0), file.passingPath)
  makeOlder(file)
}

/** Makes the passing file generation 1. Older files move up as far as the first missing generation. */
function makeOlder({ pathOf, passingPath, maxFiles }: RotatingFile): void {
  if (maxFiles < 2) {
    rmSync(passingPath)
    return
  }
  let free = 1
  while (free < maxFiles - 1 && lstatSync(pathOf(free), { throwIfNoEntry: false })) free++
  for (let generation = free; generation > 1; generation--)
    renameSync(pathOf(generation - 1), pathOf(generation))
  renameSync(passingPath, pathOf(1))
}

const periodMs = 60_000

/** Limits the events of a type in a minute. Otherwise a faulty page could fill the log. */
export class EventBudget {
  readonly #maxEvents: number
  readonly #counts = new Map<
    WrapperEvent['type'],
    { readonly since: number; taken: number; dropped: number }
  >()

  /** @param maxEvents limit of each type in a minute */
  constructor(maxEvents: number) {
    this.#maxEvents = maxEvents
  }

  /**
   * Takes an event, or drops it.
   *
   * @param nowMs monotonic clock in milliseconds
   * @returns the events to write: none, the event, or the number of dropped ones and the event
   */
  take(event: WrapperEvent, nowMs: number): readonly WrapperEvent[] {
    const found = this.#counts.get(event.type)
    if (found && nowMs - found.since < periodMs) {
      if (found.taken >= this.#maxEvents) {
        found.dropped++
        return []
      }
      found.taken++
      return [event]
    }
    this.#counts.set(event.type, { since: nowMs, taken: 1, dropped: 0 })
    if (!found?.dropped) return [event]
    return [{ type: 'events-dropped', of: event.type, count: found.dropped }, event]
  }

  /** Returns the numbers of dropped events that no event has reported. Call it at the end. */
  takeDropped(): readonly WrapperEvent[] {
    const dropped: WrapperEvent[] = []
    for (const [type, found] of this.#counts) {
      if (found.dropped > 0) dropped.push({ type: 'events-dropped', of: type, count: found.dropped })
      found.dropped = 0
    }
    return dropped
  }
}

/** Far more than launches cause. At this rate the log takes minutes to fill. */
const maxEventsPerMinute = 600

/** Passes a wrapper's events on. */
interface Reporter {
  readonly report: ReportEvent
  /** Gives the log all events so far and all later ones. */
  writeTo(log: ReportEvent): void
  /** Reports the numbers of dropped events. Call it at the end, before the log closes. */
  tellDropped(): void
}

/**
 * Passes events to the log when it is open, and warnings and errors also to people. Passes at most 600 of a type in a minute, then
 * the number of dropped ones.
 *
 * @param onNotice gets sentences without personal data. Its failures are reported. Default: nobody
 */
export function createReporter(onNotice: (sentence: string) => void = () => undefined): Reporter {
  const budget = new EventBudget(maxEventsPerMinute)
  let log: ReportEvent | undefined
  let early: WrapperEvent[] = []
  const report = (event: WrapperEvent) => budget.take(event, performance.now()).forEach(tell)
  const notify = guardOwn('onNotice', onNotice, report, () => undefined)
  function tell(event: WrapperEvent): void {
    if (log) log(event)
    else early.push(event)
    // Another call would fail in the same way, without end.
    if (event.type === 'own-function-failed' && event.of === 'onNotice') return
    const level = levelOf(event)
    if (level === 'error' || level === 'warn') notify(describeEvent(event))
  }
  return {
    report,
    writeTo(opened) {
      log = opened
      for (const event of early) opened(event)
      early = []
    },
    tellDropped: () => budget.takeDropped().forEach(tell),
  }
}

/** Option of `createWrapper` that holds a function of the integrator. */
type OwnFunctionOrigin = 'onNotice' | 'openExternal' | 'texts' | 'tray'

/**
 * Wraps a function of an integrator so that it never throws. Reports the kind of a failure without its message.
 *
 * @param instead gives the result when `own` throws
 */
export function guardOwn<Args extends readonly unknown[], Result>(
  of: OwnFunctionOrigin,
  own: (...args: Args) => Result,
  report: ReportEvent,
  instead: (...args: Args) => Result,
): (...args: Args) => Result {
  const fail = (error: unknown) => report({ type: 'own-function-failed', of, kind: kindOf(error) })
  return (...args) => {
    try {
      const result = own(...args)
      if (result instanceof Promise) result.catch(fail)
      return result
    } catch (error) {
      fail(error)
      return instead(...args)
    }
  }
}

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandErrorCode } from '@service-link/protocol-core/errors'
import {
  cleanEvent,
  describeEvent,
  type LogLevel,
  levelOf,
  type ReportEvent,
  type WrapperEvent,
} from './events.ts'
import { type DebugLog, ExchangeLog } from './exchange-log.ts'
import { failureReason, kindOf } from './failure-reason.ts'

interface OpenLogOptions {
  /** Folder of the log, `<user folder>/logs`; made when missing, for this user only. */
  readonly folder: string
  /** Least important level that is written. `off`: no file is made. */
  readonly level: LogLevel | 'off'
  /** Gets `log-unwritable` once if the log cannot be written. Default: nobody. */
  readonly onFault?: ReportEvent
  /** Default 2.5 MiB. */
  readonly maxFileBytes?: number
}

interface WrapperLog extends DebugLog, Disposable {
  /** Writes an event. Never throws. The line is in the file when this returns, so a crash loses nothing. */
  readonly report: ReportEvent
  /** Writes all levels from now on, also if the level is `off`, and an event that says so. */
  writeAll(): void
}

/** From the most to the least important. */
const levels: readonly (LogLevel | 'off')[] = ['off', 'error', 'warn', 'info', 'debug']

/**
 * Opens the log of a wrapper: `wrapper.log` in its folder, JSON lines with `level`, `time`, `pid`, `event` and the event's facts. A
 * full file becomes `wrapper.1.log`. All versions and desktops of a user share both.
 */
export function openLog(options: OpenLogOptions): WrapperLog {
  const { folder, onFault, maxFileBytes = 2.5 * 1024 * 1024 } = options
  let { level: least } = options
  let isAsked = false
  let isClosed = false
  let isCut = false
  let isFaultTold = false
  const log = {
    report,
    exchanges: least === 'debug' ? new ExchangeLog(report) : undefined,
    writeAll() {
      least = 'debug'
      log.exchanges ??= new ExchangeLog(report)
      if (!isAsked) report({ type: 'log-detailed' })
      isAsked = true
    },
    [Symbol.dispose]() {
      isClosed = true
    },
  }
  return log

  function report(reported: WrapperEvent): void {
    const level = levelOf(reported)
    if (isClosed || levels.indexOf(level) > levels.indexOf(least)) return
    const { type: event, ...facts } = cleanEvent(reported)
    const entry = { level, time: new Date().toISOString(), pid: process.pid, event, ...facts }
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      // A full disk may have cut the last line short.
      append(folder, `${isCut ? '\n' : ''}${JSON.stringify(entry)}\n`, maxFileBytes)
      isCut = false
    } catch (error) {
      isCut = true
      if (!isFaultTold) onFault?.({ type: 'log-unwritable', reason: failureReason(error) })
      isFaultTold = true
    }
  }
}

/** Keeps no file open: other processes write to the file, rename it or delete it at any time. */
function append(folder: string, text: string, maxBytes: number): void {
  const file = join(folder, 'wrapper.log')
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size + text.length > maxBytes)
    try {
      renameSync(file, join(folder, 'wrapper.1.log'))
    } catch (error) {
      // Windows renames no file that another program holds.
      if (size > 2 * maxBytes) throw error
    }
  appendFileSync(file, text, { mode: 0o600 })
}

/** Most different fields that were left out, with their problems, of which one wrapper reports. */
const maxDroppedKinds = 100

const closingCode = 'ERR_CLOSING' satisfies CommandErrorCode

/** Passes events to the log, and warnings and errors also to people. A dropped field and its problem pass once. */
export function createReporter(
  log: ReportEvent,
  onNotice: (sentence: string) => void = () => undefined,
): ReportEvent {
  const notify = guardOwn('onNotice', onNotice, report, () => undefined)
  const dropped = new Set<string>()
  /** A program sends the same field with each click, and any program of the user may send more. */
  const isRepeated = (event: WrapperEvent) => {
    if (event.type !== 'field-dropped') return false
    const kind = JSON.stringify(event).replaceAll(/\d+/g, '#')
    return dropped.size >= maxDroppedKinds || dropped.has(kind) || !dropped.add(kind)
  }
  function report(event: WrapperEvent): void {
    if (isRepeated(event)) return
    log(event)
    // Another call would fail in the same way, without end.
    if (event.type === 'own-function-failed' && event.of === 'onNotice') return
    // The end of the wrapper has a reason, which people are told. This is no other.
    if (event.type === 'launch-failed' && event.code === closingCode) return
    const sentence = describeEvent(event)
    if (sentence !== undefined) notify(sentence)
  }
  return report
}

/** Option of `createWrapper` that holds a function of the integrator. */
type OwnFunctionOrigin = 'onNotice' | 'openExternal' | 'tray'

/** Wraps a function of an integrator so that it never throws. Reports the kind of a failure without its message. */
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

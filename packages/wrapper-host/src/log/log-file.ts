import { closeSync, fstatSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEvent, type LogLevel, levelOf, type ReportEvent } from './events.ts'
import { failureReason } from './failure-reason.ts'

/** Options of {@link openLog}. */
export interface OpenLogOptions {
  /** Folder of the log, `<user folder>/logs`; made when missing, for this user only. */
  readonly folder: string
  /** The least that is written; `off`: nothing, and no file is made. */
  readonly level: LogLevel | 'off'
  /** Gets one `log-unwritable` if the log cannot be written. Default: nobody. */
  readonly onFault?: ReportEvent
  /** Largest size of one file in bytes. Default 1 MiB. */
  readonly maxFileBytes?: number
  /** How many files are kept, the newest included. Default 5. */
  readonly maxFiles?: number
}

/** The log of a wrapper. */
export interface WrapperLog extends Disposable {
  /** Writes an event. Never throws. The line is in the file when this returns, so a crash loses nothing. */
  readonly report: ReportEvent
}

/** From the most to the least important. */
const levels: readonly (LogLevel | 'off')[] = ['off', 'error', 'warn', 'info', 'debug']

/**
 * Opens the log of a wrapper: `wrapper.log` in its folder, JSON lines with `level`, `time`, `pid`, `event` and the event's
 * facts; older files are `wrapper.1.log` and so on. All versions and login sessions of a user share it. A fault of the disk is
 * told to `onFault`; the next event tries again.
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
        // A full disk may have cut the last line.
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
  /** Path of a generation: 0 is written to, 1 is the next older. */
  pathOf(generation: number): string
  /** Path of the former generation 0 while the older ones move on. */
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
 * Appends to the file and closes it again, so that other processes may write to it or delete it at any time. If the newest file
 * cannot be moved, as on Windows while another program holds it, it grows to twice its size and no older one is touched. If two
 * processes begin a new file at the same moment, each may drop an old one.
 *
 * @throws the file system's error; a part of the text may be in the file then
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

/** Moves the newest file first: if that fails, no older one must be lost. */
function rotate(file: RotatingFile): void {
  // A process that ended in between has left a passing file.
  if (lstatSync(file.passingPath, { throwIfNoEntry: false })?.isFile()) makeOlder(file)
  renameSync(file.pathOf(0), file.passingPath)
  makeOlder(file)
}

/** Makes the passing file generation 1. Older ones move on as far as the first missing generation. */
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

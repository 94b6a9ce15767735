import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { failureReason } from '../failure-reason.ts'

/** A file of bounded size and its older generations. */
export interface RotatingFile {
  /** Path of generation 0, the one that is written to; the next older one is 1. */
  pathOf(generation: number): string
  /** Size in bytes above which the next line begins a new file. */
  readonly maxFileBytes: number
  /** How many there are at most, the newest included. */
  readonly maxFiles: number
}

/**
 * Appends to a rotating file. The text is in the file when this returns, and no file stays open: nothing is lost when the
 * process ends however it may, and others may write to the same file or delete it at any time.
 *
 * @param text as long as a file may be, at most
 * @throws the file system's error, after which a part of the text may be in the file
 */
export function appendRotating(file: RotatingFile, text: string): void {
  const bytes = Buffer.from(text)
  if (appendIfFits(file, bytes)) return
  rotate(file)
  appendIfFits({ ...file, maxFileBytes: Number.POSITIVE_INFINITY }, bytes)
}

function appendIfFits({ pathOf, maxFileBytes }: RotatingFile, bytes: Uint8Array): boolean {
  const handle = openSync(pathOf(0), 'a', 0o600)
  try {
    if (fstatSync(handle).size + bytes.length > maxFileBytes) return false
    for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written)
    return true
  } finally {
    closeSync(handle)
  }
}

function rotate({ pathOf, maxFiles }: RotatingFile): void {
  for (let generation = maxFiles - 1; generation > 0; generation--) {
    try {
      renameSync(pathOf(generation - 1), pathOf(generation))
    } catch (error) {
      if (failureReason(error) !== 'ENOENT') throw error
    }
  }
}

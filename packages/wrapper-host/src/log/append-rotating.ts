import { closeSync, fstatSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** A file of bounded size and its older generations. */
export interface RotatingFile {
  /** Path of generation 0, the one that is written to; the next older one is 1. */
  pathOf(generation: number): string
  /** Path of what was generation 0, while the older ones make room for it. */
  readonly passingPath: string
  /** Size in bytes above which the next line begins a new file. */
  readonly maxFileBytes: number
  /** How many there are at most, the newest included. */
  readonly maxFiles: number
}

/**
 * Appends to a rotating file. The text is in the file when this returns, and no file stays open: nothing is lost when the
 * process ends however it may, and others may write to the same file or delete it at any time. While the newest file cannot be
 * moved, as on Windows while another program holds it, it grows to twice its size, and no older one is touched. Of two
 * processes that begin a new file at the very same moment each may drop an old one.
 *
 * @param text as long as a file may be, at most
 * @throws the file system's error, after which a part of the text may be in the file
 */
export function appendRotating(file: RotatingFile, text: string): void {
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

/** The newest first: what cannot be moved must not cost an older one each time that it is tried. */
function rotate(file: RotatingFile): void {
  // Left by a process that ended in between, or where an older one could not be moved.
  if (lstatSync(file.passingPath, { throwIfNoEntry: false })?.isFile()) makeOlder(file)
  renameSync(file.pathOf(0), file.passingPath)
  makeOlder(file)
}

/** Makes what is passing generation 1. Older ones move on no further than to the first that is missing. */
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

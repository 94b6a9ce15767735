import { ServiceLinkError } from '@service-link/protocol-core'

/** The command line cannot be understood. */
export class UsageError extends ServiceLinkError<'ERR_USAGE'> {
  readonly code = 'ERR_USAGE'
}

/** A file cannot be read or written, or does not hold what is needed. Names the file, and nothing of what is in it. */
export class FileError extends ServiceLinkError<'ERR_FILE'> {
  readonly code = 'ERR_FILE'
}

/** The person at the terminal pressed Ctrl+C. */
export class InterruptedError extends ServiceLinkError<'ERR_INTERRUPTED'> {
  readonly code = 'ERR_INTERRUPTED'

  constructor() {
    super('Interrupted.')
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EROFS: 'it lies on a file system that is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'a file of that name exists',
  ENAMETOOLONG: 'its name is too long',
}

/** Why an operation on a file failed, as a clause. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return reasons[code] ?? code
}

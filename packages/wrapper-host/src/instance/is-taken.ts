/** The second is what Windows says of a pipe whose server lets everybody make further instances, of which it has allowed no more. */
const takenCodes: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EBUSY'])

/** Whether listening at an address failed because something is there already. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && takenCodes.has(error.code)
}

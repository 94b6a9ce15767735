/** A reason not to start that is the operator's to change. The message names settings and files, and repeats no secret. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

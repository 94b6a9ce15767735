/** A reason not to start that the operator can change. The message names settings and files, and no secret. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

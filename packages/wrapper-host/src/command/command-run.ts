import type { CommandName, CommandResult } from '@service-link/protocol-core'

/** How one command is carried out. */
export interface CommandRunOptions {
  /** Gives the command up: the answer rejects at once with its reason. What the page has begun goes on in it. */
  readonly signal?: AbortSignal | undefined
  /** Whose command it is; any object. What one client asks for keeps its order. Default: nobody else's. */
  readonly client?: object | undefined
}

/** One command that was begun. */
export interface CommandRun {
  /** What it results in; rejects at once when it is given up. To be looked at by whoever began it. */
  readonly answer: Promise<CommandResult<CommandName>>
  /**
   * Resolves when nothing of it is at work any more: the page has answered, has gone, or has had the time limit of a command for
   * it. Not before {@link answer} settles; never rejects.
   */
  readonly ended: Promise<void>
}

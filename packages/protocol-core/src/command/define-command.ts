import type { z } from 'zod'

/** Who carries a command out: the wrapper itself, its window, or the web app through the bridge. */
export type CommandTarget = 'wrapper' | 'window' | 'page'

/** What comes back on success: nothing, bare text that is not JSON, or a JSON value of a schema. */
export type CommandReply = 'none' | 'text' | z.ZodType

/** One row of the command table. */
export interface CommandDefinition<
  Args extends z.ZodObject = z.ZodObject,
  Reply extends CommandReply = CommandReply,
> {
  readonly target: CommandTarget
  /** One sentence for the documentation. */
  readonly summary: string
  /** Section of the specification, or `design` for an addition of ours. */
  readonly section: string
  /** Arguments as they travel on the pipe, under their canonical names. */
  readonly args: Args
  readonly reply: Reply
  /** Whether the classic mode of the pipe knows it; otherwise only the session mode does. */
  readonly isClassic: boolean
  /** Whether it puts something before the user, so that the window comes to the front. */
  readonly raisesWindow: boolean
}

/** Writes a row of the command table with its exact types. */
export function defineCommand<const Args extends z.ZodObject, const Reply extends CommandReply>(
  definition: Omit<CommandDefinition<Args, Reply>, 'isClassic' | 'raisesWindow'> &
    Partial<Pick<CommandDefinition, 'isClassic' | 'raisesWindow'>>,
): CommandDefinition<Args, Reply> {
  return { isClassic: true, raisesWindow: false, ...definition }
}

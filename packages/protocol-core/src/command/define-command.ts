import type { z } from 'zod'

/** Who carries a command out: the wrapper itself, its window, or the web app through the bridge. */
export type CommandTarget = 'wrapper' | 'window' | 'page'

/** What comes back on success: nothing, bare text that is not JSON, or a JSON value of a schema. */
export type CommandReply = 'none' | 'text' | z.ZodType

/** One row of the command table. */
export interface CommandDefinition<
  Args extends z.ZodObject = z.ZodObject,
  Reply extends CommandReply = CommandReply,
  Target extends CommandTarget = CommandTarget,
  IsClassic extends boolean = boolean,
> {
  readonly target: Target
  /** One sentence for the documentation. */
  readonly summary: string
  /** Section of the specification, or `design` for an addition of ours. */
  readonly section: string
  /** Arguments as they travel on the pipe, under their canonical names. */
  readonly args: Args
  readonly reply: Reply
  /** Whether the classic mode of the pipe has it; a launch, and the session mode, can ask for every command. */
  readonly isClassic: IsClassic
  /** Whether it puts something before the user, so that the window comes to the front. */
  readonly raisesWindow: boolean
}

/** What a row of the command table says; the rest has defaults. */
type CommandRow<Args extends z.ZodObject, Reply extends CommandReply, Target extends CommandTarget> = Omit<
  CommandDefinition<Args, Reply, Target>,
  'isClassic' | 'raisesWindow'
> & {
  /** Default false. */
  readonly raisesWindow?: boolean
}

/** Writes a row of the command table that every mode of the pipe has, with its exact types. */
export function defineCommand<
  const Args extends z.ZodObject,
  const Reply extends CommandReply,
  const Target extends CommandTarget,
>(row: CommandRow<Args, Reply, Target>): CommandDefinition<Args, Reply, Target, true> {
  return { raisesWindow: false, ...row, isClassic: true }
}

/** Writes a row of the command table that the classic mode of the pipe does not have, with its exact types. */
export function defineLaunchCommand<
  const Args extends z.ZodObject,
  const Reply extends CommandReply,
  const Target extends CommandTarget,
>(row: CommandRow<Args, Reply, Target>): CommandDefinition<Args, Reply, Target, false> {
  return { raisesWindow: false, ...row, isClassic: false }
}

import * as z from 'zod/mini'
import { described, factsOf, withJson } from '../schema/facts.ts'
import { object } from '../schema/object.ts'
import {
  optionalWireFlag,
  optionalWireId,
  optionalWireInteger,
  optionalWireText,
  requiredWireId,
  requiredWireText,
  wireInteger,
} from '../text/text-field.ts'
import { userSchema, workoutSchema } from './lists.ts'
import type { CommandName } from './replies.ts'
import { selectPersonArgsSchema, selectPersonWireReplySchema } from './select-person-schemas.ts'

/** The part that runs a command: the wrapper itself, its window, or the web app through the bridge. */
export type CommandTarget = 'wrapper' | 'window' | 'page'

/** The reply to a successful command: nothing, bare text that is not JSON, or a JSON value of a schema. */
export type CommandReply = 'none' | 'text' | z.ZodMiniType

/** One row of the command table. */
export interface CommandDefinition<
  Args extends z.ZodMiniObject = z.ZodMiniObject,
  Reply extends CommandReply = CommandReply,
  Target extends CommandTarget = CommandTarget,
> {
  readonly target: Target
  /** One sentence for the documentation. */
  readonly summary: string
  /** Section of the specification, or `design` for an addition of ours. */
  readonly section: string
  /** Arguments as they travel on the pipe, under their canonical names. */
  readonly args: Args
  /** As it travels. */
  readonly reply: Reply
  /** Whether it puts something before the user, so that the window comes to the front. */
  readonly raisesWindow: boolean
}

/** Writes a row of the command table with its exact types. */
function defineCommand<
  const Args extends z.ZodMiniObject,
  const Reply extends CommandReply,
  const Target extends CommandTarget,
>({
  section = '4.5',
  raisesWindow = false,
  ...row
}: Pick<CommandDefinition<Args, Reply, Target>, 'target' | 'summary' | 'args' | 'reply'> & {
  readonly section?: string
  readonly raisesWindow?: boolean
}): CommandDefinition<Args, Reply, Target> {
  return { ...row, section, raisesWindow }
}

const noArgs = object({})

/** Every command ([specification 4.5](https://github.com/service-link/service-link/blob/main/docs/reference/pipe.md)). Client, server, bridge, JSON Schemas and documentation are derived from this table. */
export const commands = {
  hide: defineCommand({
    target: 'window',
    summary: 'Minimises the wrapper window, or puts it into the tray.',
    args: noArgs,
    reply: 'none',
  }),
  show: defineCommand({
    target: 'window',
    summary: 'Shows the window if minimised or in the tray, and brings it to the front.',
    args: noArgs,
    reply: 'none',
  }),
  version: defineCommand({
    target: 'wrapper',
    summary: 'Returns the wrapper version, four numbers.',
    args: noArgs,
    reply: 'text',
  }),
  close: defineCommand({
    target: 'wrapper',
    summary: 'Signs the user out and exits the wrapper.',
    args: object({
      signout: described(
        optionalWireFlag,
        'False only exits, without a sign-out at the service. Default true',
      ),
    }),
    reply: 'none',
  }),
  log: defineCommand({
    target: 'wrapper',
    summary: 'Writes everything to the log, as level debug does, until the next start.',
    section: 'design',
    args: noArgs,
    reply: 'none',
  }),
  getworkoutsforclient: defineCommand({
    target: 'page',
    summary: 'Returns the workouts of one person.',
    args: withJson(
      object({
        customid: described(
          optionalWireId,
          'Id of the person in the partner’s system; this or userid is needed',
        ),
        userid: described(optionalWireInteger, 'Service user id; decides when both are given'),
        from: described(
          optionalWireText,
          'A date, yyyy-MM-dd preferred; only workouts newer than it are returned',
        ),
      }),
      { anyOf: [{ required: ['customid'] }, { required: ['userid'] }] },
    ),
    reply: z.array(workoutSchema),
  }),
  openworkout: defineCommand({
    target: 'page',
    summary: 'Opens a workout in the web app.',
    args: object({
      id: described(wireInteger, 'An id returned by getworkoutsforclient; 0 or less opens nothing'),
    }),
    reply: 'none',
    raisesWindow: true,
  }),
  getlistofusers: defineCommand({
    target: 'page',
    summary:
      'Returns the users of the caller’s organisation; CustomId is not unique, so a filter may match several.',
    args: object({
      customid: described(optionalWireId, 'Only users with this id in the partner’s system'),
    }),
    reply: z.array(userSchema),
  }),
  setcustomid: defineCommand({
    target: 'page',
    summary: 'Sets the CustomId of a user.',
    args: object({
      userid: described(wireInteger, 'Service user id, as getlistofusers returns it'),
      customid: described(requiredWireId, 'Id of the person in the partner’s system'),
    }),
    reply: 'none',
  }),
  selectperson: defineCommand({
    target: 'page',
    summary: 'Selects a person, or creates one.',
    args: selectPersonArgsSchema,
    reply: selectPersonWireReplySchema,
    raisesWindow: true,
  }),
  queryexercises: defineCommand({
    target: 'page',
    summary: 'Searches exercises in the web app.',
    section: '4.3',
    args: object({ text: described(requiredWireText, 'What to search for') }),
    reply: 'none',
    raisesWindow: true,
  }),
  queryworkouts: defineCommand({
    target: 'page',
    summary: 'Searches workouts in the web app.',
    section: '4.3',
    args: object({ text: described(requiredWireText, 'What to search for') }),
    reply: 'none',
    raisesWindow: true,
  }),
} as const satisfies Readonly<Record<CommandName, CommandDefinition>>

/** Name of a command that the web app carries out. */
export type PageCommandName = {
  [Name in CommandName]: (typeof commands)[Name]['target'] extends 'page' ? Name : never
}[CommandName]

/** One argument of a command, for programs that take it as text. */
export interface ArgumentFacts {
  readonly name: string
  readonly type: 'text' | 'integer' | 'boolean' | 'JSON'
  readonly isRequired: boolean
  /** Whether the schema takes a value. A text may still be invalid, such as an impossible date. */
  readonly accepts: (value: unknown) => boolean
  /** May be empty. */
  readonly summary: string
}

/** Arguments of a command, in the table's order. */
export function argumentsOf(name: CommandName): readonly ArgumentFacts[] {
  const { args }: CommandDefinition = commands[name]
  const required = factsOf(args).json?.required
  return Object.entries(args.shape).map(([argument, schema]) => {
    const accepts = (value: unknown) => z.safeParse(schema, value).success
    const { sent, description = '' } = factsOf(schema)
    return {
      name: argument,
      type: sent ? 'JSON' : accepts('a') ? 'text' : accepts(1) ? 'integer' : 'boolean',
      isRequired: !accepts(undefined) || (Array.isArray(required) && required.includes(argument)),
      accepts,
      summary: description,
    }
  })
}

import * as z from 'zod/mini'
import { described, factsOf, withJson } from '../schema/facts.ts'
import { lowerCase, wireName } from '../schema/names.ts'
import { object } from '../schema/object.ts'
import {
  optionalWireFlag,
  optionalWireId,
  optionalWireInteger,
  optionalWireText,
  requiredWireId,
  requiredWireText,
  wireInteger,
} from '../schema/text-field.ts'
import { userSchema, workoutSchema } from './lists.ts'
import { obsoleteId, selectPersonArgsSchema, selectPersonReplySchema } from './select-person.ts'

/** The part that runs a command: the wrapper itself, its window, or the web app through the bridge. */
export type CommandTarget = 'wrapper' | 'window' | 'page'

/** The reply to a successful command: nothing, bare text that is not JSON, or a JSON value of a schema. */
export type CommandReply = 'none' | 'text' | z.ZodMiniType

/** One row of the command table. */
export interface CommandDefinition<
  Args extends z.ZodMiniObject = z.ZodMiniObject,
  Reply extends CommandReply = CommandReply,
  Target extends CommandTarget = CommandTarget,
  IsClassic extends boolean = boolean,
> {
  readonly target: Target
  /** One sentence for the documentation. */
  readonly summary: string
  /** Section of the specification, or `design` for an addition of ours. */
  readonly section: string
  /** Under the names of programs. On the pipe they are in lower case. */
  readonly args: Args
  readonly reply: Reply
  /** Whether the classic mode of the pipe has it. A launch, and the session mode, can ask for each command. */
  readonly isClassic: IsClassic
  /** Whether it puts something before the user, so that the window comes to the front. */
  readonly raisesWindow: boolean
  /** Whether it decides who is in focus. Then it takes the place of earlier ones that the web app has not drawn. */
  readonly changesFocus: boolean
}

/** Writes a row of the command table with its exact types. */
function defineCommand<
  const Args extends z.ZodMiniObject,
  const Reply extends CommandReply,
  const Target extends CommandTarget,
>({
  section = '4.5',
  raisesWindow = false,
  changesFocus = false,
  ...row
}: Pick<CommandDefinition<Args, Reply, Target>, 'target' | 'summary' | 'args' | 'reply'> & {
  readonly section?: string
  readonly raisesWindow?: boolean
  readonly changesFocus?: boolean
}): CommandDefinition<Args, Reply, Target, true> {
  return { ...row, section, raisesWindow, changesFocus, isClassic: true }
}

/** A command that the classic mode of the pipe does not have. */
function notClassic<Definition extends CommandDefinition>(
  row: Definition,
): Omit<Definition, 'isClassic'> & { readonly isClassic: false } {
  return { ...row, isClassic: false }
}

function argsOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return lowerCase(object(shape))
}

const noArgs = object({})

/** Every command (spec 4.5). Client, server, bridge, JSON Schemas and documentation are derived from this table. */
export const commands = {
  hide: defineCommand({
    target: 'window',
    summary: 'Minimizes the wrapper window, or puts it into the tray.',
    args: noArgs,
    reply: 'none',
  }),
  show: defineCommand({
    target: 'window',
    summary: 'Shows the window if minimized or in the tray, and brings it to the front.',
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
    args: argsOf({
      signout: described(
        optionalWireFlag,
        'False only exits, without a sign-out at the service. Default true',
      ),
      forUpdate: described(
        optionalWireFlag,
        'True tells the user that a new version comes, and waits for up to two minutes while the web app has an unsaved form. Default false',
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
      argsOf({
        customId: described(
          optionalWireId,
          'Id of the person in the partner’s system; this or userid is needed',
        ),
        userId: described(optionalWireInteger, 'Service user id; decides when both are given'),
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
    args: argsOf({
      id: described(wireInteger, 'An id returned by getworkoutsforclient; 0 or less opens nothing'),
    }),
    reply: 'none',
    raisesWindow: true,
  }),
  getlistofusers: defineCommand({
    target: 'page',
    summary:
      'Returns the users of the caller’s organization; CustomId is not unique, so a filter may match several.',
    args: argsOf({
      customId: described(optionalWireId, 'Only users with this id in the partner’s system'),
    }),
    reply: z.array(userSchema),
  }),
  setcustomid: defineCommand({
    target: 'page',
    summary: 'Sets the CustomId of a user.',
    args: argsOf({
      userId: described(wireInteger, 'Service user id, as getlistofusers returns it'),
      customId: described(requiredWireId, 'Id of the person in the partner’s system'),
    }),
    reply: 'none',
  }),
  selectperson: defineCommand({
    target: 'page',
    summary: 'Selects a person, or creates one.',
    args: selectPersonArgsSchema,
    reply: selectPersonReplySchema,
    raisesWindow: true,
    changesFocus: true,
  }),
  clearperson: defineCommand({
    target: 'page',
    summary: 'Takes the person out of focus. With an id, only if it is that person.',
    section: 'design',
    args: argsOf({
      id: described(optionalWireId, obsoleteId),
      customId: described(optionalWireId, 'Id of the person in the partner’s system'),
      userId: described(optionalWireInteger, 'Service user id; decides when both are given'),
    }),
    reply: 'none',
    changesFocus: true,
  }),
  signout: defineCommand({
    target: 'window',
    summary:
      'Signs the user out, and removes all that the web app has kept. The wrapper stays, with the log-in page.',
    section: 'design',
    args: noArgs,
    reply: 'none',
    changesFocus: true,
  }),
  queryexercises: notClassic(
    defineCommand({
      target: 'page',
      summary: 'Searches exercises in the web app.',
      section: '4.3',
      args: argsOf({ text: described(requiredWireText, 'What to search for') }),
      reply: 'none',
      raisesWindow: true,
    }),
  ),
  queryworkouts: notClassic(
    defineCommand({
      target: 'page',
      summary: 'Searches workouts in the web app.',
      section: '4.3',
      args: argsOf({ text: described(requiredWireText, 'What to search for') }),
      reply: 'none',
      raisesWindow: true,
    }),
  ),
} as const satisfies Readonly<Record<string, CommandDefinition>>

type Commands = typeof commands

/** Name of a command, as it travels. */
export type CommandName = keyof Commands

/** Name of a command that the web app carries out. */
export type PageCommandName = {
  [Name in CommandName]: Commands[Name]['target'] extends 'page' ? Name : never
}[CommandName]

/** Name of a command that the classic mode of the pipe has. */
export type ClassicCommandName = {
  [Name in CommandName]: Commands[Name]['isClassic'] extends true ? Name : never
}[CommandName]

/** Value that a command answers with; `undefined` where it answers with nothing. */
export type CommandResult<Name extends CommandName> = Commands[Name]['reply'] extends infer Reply
  ? Reply extends z.ZodMiniType
    ? z.output<Reply>
    : Reply extends 'text'
      ? string
      : undefined
  : never

/** Every command name, in the order of the documentation. */
export const commandNames: readonly CommandName[] = Object.keys(commands).filter(isCommandName)

/** Whether a text is a command's name as it travels. */
export function isCommandName(text: string): text is CommandName {
  return Object.hasOwn(commands, text)
}

/** Whether a call is to bring the window to the front. */
export function bringsToFront(name: string): boolean {
  return name === 'show' || (isCommandName(name) && commands[name].raisesWindow)
}

/** Whether the classic mode of the pipe has a command. */
export function isClassicCommandName(name: string): name is ClassicCommandName {
  return isCommandName(name) && commands[name].isClassic
}

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
  return Object.entries(args.shape).map(([member, schema]) => {
    const argument = wireName(args, member)
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

import {
  type ArgsIssue,
  type Command,
  commandNames,
  commands,
  personSchema,
} from '@service-link/protocol-core'
import { z } from 'zod'
import type { ProvidedCommands } from '../provider.ts'
import { ProviderResultError } from './provider-errors.ts'

const maxCommands = 100

const providedSchema = z.strictObject({
  commands: z
    .array(z.strictObject({ name: z.enum(commandNames), args: z.unknown().optional() }))
    .max(maxCommands),
  payload: z.string().optional(),
  taken: z.custom<() => Promise<void>>(value => typeof value === 'function').optional(),
})

/**
 * Reads what an own provider returned: commands of the command table with arguments as it says, in a copy that the provider
 * can no longer change.
 *
 * @throws {ProviderResultError} naming each place that is not acceptable, no value
 */
export function readProvided(given: unknown): ProvidedCommands {
  const provided = providedSchema.safeParse(given)
  if (!provided.success) throw new ProviderResultError(issuesAt('', provided.error))
  const { taken, payload } = provided.data
  const issues: ArgsIssue[] = []
  const read = provided.data.commands.map(({ name, args }, index) => {
    const path = `commands.${index}.args`
    const parsed = argsSchemaOf(name).safeParse(args ?? {})
    if (!parsed.success) issues.push(...issuesAt(path, parsed.error))
    // The schema of a command's name makes its arguments.
    return { name, args: parsed.data } as Command
  })
  if (issues.length > 0) throw new ProviderResultError(issues)
  return {
    commands: read,
    ...(payload === undefined ? {} : { payload }),
    ...(taken ? { taken: () => taken.call(given) } : {}),
  }
}

/** As on the pipe: whoever cannot be found is created, for which there must be a name. */
const selectedPersonSchema = personSchema.superRefine((person, context) => {
  const need = (field: 'firstname' | 'lastname' | 'customId') => {
    if (!person[field]) context.addIssue({ code: 'custom', path: [field], message: 'is missing' })
  }
  need('firstname')
  need('lastname')
  if (!person.userId) need('customId')
})

function argsSchemaOf(name: Command['name']): z.ZodType {
  return name === 'selectperson' ? selectedPersonSchema : commands[name].args.strict()
}

/** In words of our own: a message of the library may repeat a member's name. */
function issuesAt(base: string, { issues }: z.ZodError): ArgsIssue[] {
  return issues.map(({ code, path, message }) => ({
    path: [base, ...path.map(String)].filter(part => part !== '').join('.'),
    problem:
      code === 'custom' && message !== 'Invalid input' ? message : (problems[code] ?? 'is not acceptable'),
  }))
}

const problems: Readonly<Record<string, string>> = {
  invalid_type: 'is missing or of the wrong type',
  invalid_value: 'is not one of the known',
  unrecognized_keys: 'has a member that is not known',
  too_big: 'has too many entries',
}

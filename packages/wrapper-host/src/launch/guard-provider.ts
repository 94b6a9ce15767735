import {
  type ArgsIssue,
  type Command,
  commandNames,
  commands,
  isServiceLinkError,
  personFields,
  personSchema,
} from '@service-link/protocol-core'
import { findNearName } from '@service-link/protocol-core/errors'
import { fieldSynonyms } from '@service-link/protocol-core/person'
import * as z from 'zod/mini'
import { type ProvidedCommands, type Provider, ProviderFailedError, ProviderResultError } from './provider.ts'

/** Wraps an integrator's provider: its errors hold no personal data, and its results are checked. */
export function guardProvider(provider: Provider): Provider {
  return {
    async provide(input) {
      // Reading the result may run the provider's code: a member can be a getter.
      const { taken, ...provided } = await orNeutral(async () => readProvided(await provider.provide(input)))
      return taken ? { ...provided, taken: () => orNeutral(taken) } : provided
    },
  }
}

/** Only errors of this project promise to hold no personal data. */
async function orNeutral<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw isServiceLinkError(error) ? error : new ProviderFailedError()
  }
}

const maxCommands = 100

const providedSchema = z.strictObject({
  commands: z
    .array(z.strictObject({ name: z.enum(commandNames), args: z.optional(z.unknown()) }))
    .check(z.maxLength(maxCommands)),
  payload: z.optional(z.string()),
  launchParameters: z.optional(z.record(z.string(), z.string())),
  taken: z.optional(z.custom<() => Promise<void>>(value => typeof value === 'function')),
})

/** Of a result, and of a command in it. */
const resultMembers = [...Object.keys(providedSchema.shape), 'name', 'args']

/** Checks the result of a provider by the command table, and copies it: the provider cannot change the copy. */
export function readProvided(given: unknown): ProvidedCommands {
  const provided = providedSchema.safeParse(given)
  if (!provided.success) throw new ProviderResultError(issuesAt('', provided.error, resultMembers))
  const { taken, payload, launchParameters } = provided.data
  const issues: ArgsIssue[] = []
  const read = provided.data.commands.map(({ name, args }, index) => {
    const path = `commands.${index}.args`
    const parsed = argsSchemaOf(name).safeParse(args ?? {})
    const known = Object.keys(name === 'selectperson' ? personFields : commands[name].args.shape)
    if (!parsed.success) issues.push(...issuesAt(path, parsed.error, known))
    // The schema of the name made the arguments.
    return { name, args: parsed.data } as Command
  })
  if (issues.length > 0) throw new ProviderResultError(issues)
  return {
    commands: read,
    ...(payload === undefined ? {} : { payload }),
    launchParameters,
    ...(taken ? { taken: () => taken.call(given) } : {}),
  }
}

/** As on the pipe: an unknown person is created, which needs a name. */
const selectedPersonSchema = personSchema.check(
  z.superRefine((person, input) => {
    const need = (field: 'firstname' | 'lastname' | 'customId') => {
      if (!person[field]) input.addIssue({ code: 'custom', path: [field], message: 'is missing' })
    }
    need('firstname')
    need('lastname')
    if (!person.userId) need('customId')
  }),
)

function argsSchemaOf(name: Command['name']): z.ZodMiniType {
  return name === 'selectperson' ? selectedPersonSchema : z.strictObject(commands[name].args.shape)
}

/** Replaces the library's messages, which may repeat a member's name. */
function issuesAt(base: string, { issues }: z.core.$ZodError, known: readonly string[]): ArgsIssue[] {
  return issues.map(issue => ({
    path: [base, ...issue.path.map(String)].filter(part => part !== '').join('.'),
    problem: problemOf(issue, known),
  }))
}

function problemOf(issue: z.core.$ZodIssue, known: readonly string[]): string {
  if (issue.code === 'custom' && issue.message !== 'Invalid input') return issue.message
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code !== 'unrecognized_keys') return problems[issue.code] ?? 'is not acceptable'
  const near = issue.keys.map(key => findNearName(key, known, fieldSynonyms()))
  const meant = near.find(name => name !== undefined && known.includes(name))
  return `has a member that is not known${meant === undefined ? '' : `; did you mean ${meant}`}`
}

const problems: Readonly<Record<string, string>> = {
  invalid_type: 'is missing or of the wrong type',
  too_big: 'has too many entries',
}

import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type * as z from 'zod/mini'
import { type CommandName, commands } from '../src/command/command-table.ts'
import { exerciseDataSchema, exerciseSchema, userSchema, workoutSchema } from '../src/command/lists.ts'
import { contactSchema, payloadSchema } from '../src/person/payload.ts'
import { personSchema } from '../src/person/person.ts'
import { writtenEntrySchema } from '../src/person/profile-data.ts'
import { factsOf } from '../src/schema/facts.ts'
import { objectIn } from '../src/schema/names.ts'

// Writes interfaces of what schemas read: an editor shows the comment of a member, and no description of a schema.

/** The interface of an object that a schema reads. */
interface Generated {
  /** Name of the interface, and what it extends. */
  readonly head: string
  /** A sentence. */
  readonly about: string
  readonly schema: z.ZodMiniType
  /** The file and the constant with the schema, and where in it the schema is. */
  readonly made: readonly [file: string, constant: string, ...members: string[]]
  /** Types of members that have no name in the schema; `*`: of each. */
  readonly named?: Readonly<Record<string, string>>
}

/** The interface of a command's arguments. */
function argumentsFor(name: Exclude<CommandName, 'selectperson'>, head: string): Generated {
  const made = ['command/command-table.ts', 'commands', name, 'args'] as const
  return { head, about: `Arguments of \`${name}\`.`, schema: commands[name].args, made }
}

/** Generated file → how it begins, and its interfaces. */
const files: Readonly<Record<string, readonly [begin: string, readonly Generated[]]>> = {
  'person/person-types.ts': [
    `/** A value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }

/** Claims of the partner's own, which the specification does not name. */
export type ExtraClaims = Readonly<Record<string, unknown>>

`,
    [
      {
        head: 'Person',
        about:
          'The person in focus, the same value whichever transport it came by. Absent text is absent, never empty.',
        schema: personSchema,
        made: ['person/person.ts', 'personSchema'],
      },
      {
        head: 'ProfileEntry',
        about:
          'A profile-data entry (spec 2.3), as its sender wrote it: a known member may be missing or of another type, and there may be others.',
        schema: writtenEntrySchema,
        made: ['person/profile-data.ts', 'writtenEntrySchema'],
        named: { '*': 'JsonValue | undefined' },
      },
      {
        head: 'WrittenProfileEntry extends ProfileEntry',
        about: 'A profile-data entry as a program of ours writes it.',
        schema: writtenEntrySchema,
        made: ['person/profile-data.ts', 'writtenEntrySchema'],
      },
      {
        head: 'ContactClaims',
        about: 'The person in focus, in the partner link (spec 2.1).',
        schema: contactSchema,
        made: ['person/payload.ts', 'contactSchema'],
      },
      {
        head: 'PayloadClaims',
        about: 'Claims of the partner link (spec 2.1).',
        schema: payloadSchema,
        made: ['person/payload.ts', 'payloadSchema'],
        named: { contact: 'ContactClaims' },
      },
    ],
  ],
  'command/message-types.ts': [
    '',
    [
      argumentsFor('close', 'CloseArgs'),
      argumentsFor('getworkoutsforclient', 'WorkoutsArgs'),
      argumentsFor('openworkout', 'OpenWorkoutArgs'),
      argumentsFor('getlistofusers', 'UsersArgs'),
      argumentsFor('setcustomid', 'CustomIdArgs'),
      argumentsFor('queryexercises', 'QueryArgs'),
      {
        head: 'User',
        about: 'One user as `getlistofusers` returns it. It may have further members.',
        schema: userSchema,
        made: ['command/lists.ts', 'userSchema'],
      },
      {
        head: 'ExerciseData',
        about: 'How often, how long or with which load an exercise is done.',
        schema: exerciseDataSchema,
        made: ['command/lists.ts', 'exerciseDataSchema'],
      },
      {
        head: 'Exercise',
        about: 'One exercise of a workout. It may have further members.',
        schema: exerciseSchema,
        made: ['command/lists.ts', 'exerciseSchema'],
      },
      {
        head: 'Workout',
        about: 'One workout as `getworkoutsforclient` returns it. It may have further members.',
        schema: workoutSchema,
        made: ['command/lists.ts', 'workoutSchema'],
      },
    ],
  ],
}

const source = new URL('../src/', import.meta.url)
const pathOf = (file: string) => fileURLToPath(new URL(file, source))

const { config } = ts.readConfigFile(
  fileURLToPath(new URL('../../../tsconfig.base.json', source)),
  ts.sys.readFile,
)
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, pathOf('.'))

/** The generated files with their texts. */
export function generatedTypes(): { readonly name: string; readonly url: URL; readonly text: string }[] {
  const program = ts.createProgram([pathOf('index.ts')], options)
  const checker = program.getTypeChecker()
  const memberOf = (type: ts.Type, name: string) => {
    const member = type.getProperty(name)
    if (!member) throw new Error(`There is no member ${name}.`)
    return checker.getTypeOfSymbol(member)
  }

  /** The type of what a schema reads, by the expression that makes the schema: the constant names the generated type. */
  function outputOf([file, constant, ...members]: Generated['made']): ts.Type {
    const made = [...(program.getSourceFile(pathOf(file))?.statements ?? [])]
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .find(({ name }) => name.getText() === constant)?.initializer
    if (!made) throw new Error(`${file} has no constant ${constant}.`)
    return [...members, '_zod', 'output'].reduce(memberOf, checker.getTypeAtLocation(made))
  }

  /** Members in the schema's order. An interface that extends another one has its comments. */
  function write({ head, about, schema, made, named = {} }: Generated): string {
    const type = outputOf(made)
    const shape = objectIn(schema)?.shape ?? {}
    const names = Object.keys(shape)
    const { '*': each } = named
    const lines = [...names, ...type.getProperties().map(({ name }) => name)]
      .filter(isFirst)
      .flatMap(name => {
        const member = type.getProperty(name)
        if (!member) throw new Error(`${head} has no member ${name}.`)
        const written = checker.typeToString(checker.getTypeOfSymbol(member), undefined, format)
        const mark = /(^| )undefined$/.test(each ?? written) ? '?' : ''
        const said = shape[name] && factsOf(shape[name]).description
        const about = said ?? ts.displayPartsToString(member.getDocumentationComment(checker))
        const line = `  ${name}${mark}: ${named[name] ?? each ?? written}`
        return about === '' || head.includes(' ')
          ? [line]
          : [`  /** ${sentence(inProgram(about, names))} */`, line]
      })
    const [index] = checker.getIndexInfosOfType(type)
    const open = index && !head.includes(' ') ? [`  [member: string]: ${each ?? 'unknown'}`] : []
    return [`/** ${about} */`, `export interface ${head} {`, ...open, ...lines, '}\n'].join('\n')
  }

  return Object.entries(files).map(([name, [begin, values]]) => ({
    name: `src/${name}`,
    url: new URL(name, source),
    text: `// Generated from the schemas by \`npm run schemas\`.\n\n${begin}${values.map(write).join('\n')}`,
  }))
}

const format = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType
const isFirst = (name: string, at: number, names: readonly string[]) => names.indexOf(name) === at
const sentence = (clause: string) => `${clause.replace(/\.$/, '')}.`

/** Writes the members' names as programs have them: on the pipe they are in lower case. */
function inProgram(text: string, names: readonly string[]): string {
  return names.reduce(
    (told, name) => told.replaceAll(new RegExp(`\\b${name.toLowerCase()}\\b`, 'g'), name),
    text,
  )
}

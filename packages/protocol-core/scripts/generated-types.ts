import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type * as z from 'zod/mini'
import { type CommandName, commands } from '../src/command/command-table.ts'
import { exerciseDataSchema, exerciseSchema, userSchema, workoutSchema } from '../src/command/lists.ts'
import { contactSchema, endSchema, payloadSchema } from '../src/person/payload.ts'
import { personSchema } from '../src/person/person.ts'
import { writtenEntrySchema } from '../src/person/profile-data.ts'
import { factsOf } from '../src/schema/facts.ts'
import { objectIn } from '../src/schema/names.ts'

// Writes interfaces of what schemas read: an editor shows the comment of a member, and no description of a schema.

/** An interface: what a sentence says of it, the constant with the schema that reads it, and what differs from the usual. */
type Generated = readonly [about: string, made: Readonly<Record<string, unknown>>, unusual?: Unusual]

interface Unusual {
  /** Where in the constant the schema is. */
  readonly members?: readonly string[]
  /** Types of members that have no name in the schema; `*`: of each. */
  readonly named?: Readonly<Record<string, string>>
}

function argumentsOf(name: Exclude<CommandName, 'selectperson'>): Generated {
  return [`Arguments of \`${name}\`.`, { commands }, { members: [name, 'args'] }]
}

/** Generated file → its interfaces: name, and what it extends, → {@link Generated}. */
const files: Readonly<Record<string, Readonly<Record<string, Generated>>>> = {
  'person/person-types.ts': {
    Person: [
      'The person in focus, the same value whichever transport it came by. Absent text is absent, never empty.',
      { personSchema },
    ],
    ProfileEntry: [
      'A profile-data entry (spec 2.3), as its sender wrote it: a known member may be missing or of another type, and there may be others.',
      { writtenEntrySchema },
      { named: { '*': 'JsonValue | undefined' } },
    ],
    'WrittenProfileEntry extends ProfileEntry': [
      'A profile-data entry as a program of ours writes it.',
      { writtenEntrySchema },
    ],
    ContactClaims: ['The person in focus, in the partner link (spec 2.1).', { contactSchema }],
    PayloadClaims: [
      'Claims of the partner link (spec 2.1).',
      { payloadSchema },
      { named: { contact: 'ContactClaims' } },
    ],
    EndClaims: [
      'Claims of a signed end, by which a partner takes back what its payloads of an employee opened.',
      { endSchema },
    ],
  },
  'command/message-types.ts': {
    CloseArgs: argumentsOf('close'),
    ClearArgs: argumentsOf('clearperson'),
    WorkoutsArgs: argumentsOf('getworkoutsforclient'),
    OpenWorkoutArgs: argumentsOf('openworkout'),
    UsersArgs: argumentsOf('getlistofusers'),
    CustomIdArgs: argumentsOf('setcustomid'),
    QueryArgs: argumentsOf('queryexercises'),
    User: ['One user as `getlistofusers` returns it. It may have further members.', { userSchema }],
    ExerciseData: ['How often, how long or with which load an exercise is done.', { exerciseDataSchema }],
    Exercise: ['One exercise of a workout. It may have further members.', { exerciseSchema }],
    Workout: [
      'One workout as `getworkoutsforclient` returns it. It may have further members.',
      { workoutSchema },
    ],
  },
}

const importOfJson = "import type { JsonValue } from '../frame/parse-json.ts'\n\n"

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

  const declarations = program
    .getSourceFiles()
    .filter(({ isDeclarationFile }) => !isDeclarationFile)
    .flatMap(file => file.statements.filter(ts.isVariableStatement))
    .flatMap(({ declarationList }) => declarationList.declarations)

  /** The type of what a schema reads, by the expression that makes the schema: the constant names the generated type. */
  function outputOf(constant: string, members: readonly string[]): ts.Type {
    const made = declarations.find(({ name }) => name.getText() === constant)?.initializer
    if (!made) throw new Error(`There is no constant ${constant}.`)
    return [...members, '_zod', 'output'].reduce(memberOf, checker.getTypeAtLocation(made))
  }

  /** Members in the schema's order. An interface that extends another one has its comments. */
  function write([head, [about, constants, { members = [], named = {} } = {}]]: [string, Generated]): string {
    const [constant = ''] = Object.keys(constants)
    const type = outputOf(constant, members)
    const schema = members.reduce((value, member) => Object(value)[member], constants[constant])
    const shape = objectIn(schema as z.ZodMiniType)?.shape ?? {}
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

  return Object.entries(files).map(([name, interfaces]) => {
    const written = Object.entries(interfaces).map(write).join('\n')
    const begin = written.includes('JsonValue') ? importOfJson : ''
    const text = `// Generated from the schemas by \`npm run schemas\`.\n\n${begin}${written}`
    return { name: `src/${name}`, url: new URL(name, source), text }
  })
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

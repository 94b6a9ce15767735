import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { buildArguments, parseArguments } from '../packages/cli-args/src/index.ts'
import {
  importSigningKey,
  importVerificationKey,
  signPayload,
  verifyPayload,
} from '../packages/jwt-payload/src/index.ts'
import {
  argsFromPerson,
  type Command,
  decodeRequest,
  fieldsIn,
  type LaunchPerson,
  type PersonField,
  type PersonTransport,
  parseClassicCommand,
  personFields,
  personSchema,
  type SelectablePerson,
  type SessionCall,
  writeClassicRequest,
} from '../packages/protocol-core/src/index.ts'
import { readProvided } from '../packages/wrapper-host/src/launch/guard-provider.ts'
import { pageMessageSchema } from '../packages/wrapper-host/src/web-app/page/page-messages.ts'
import { buildXmlInput, parseXmlInput } from '../packages/xml-input/src/index.ts'

// Walks the fields of a person, so that a new one is tested in every transport.

const samples: Readonly<Record<PersonField['kind'], unknown>> = {
  id: 'A-1',
  text: 'Å "山" & 😀',
  date: '1980-04-03',
  gender: 'female',
  userId: 17,
  profileData: [{ key: 'weight', value: 80, own: [{ deep: null }] }],
}

const fields: readonly (readonly [string, PersonField])[] = Object.entries(personFields)
const whole = Object.fromEntries(
  fields.map(([field, { kind }]) => [field, samples[kind]]),
) as object as LaunchPerson<'arguments'> & SelectablePerson

const sent = (request: string) => decodeRequest(new TextEncoder().encode(request))

function personOf(command: Command | SessionCall | undefined) {
  if (command?.name !== 'selectperson') throw new Error('This is not the command that was written.')
  return command.args
}

const key = { kind: 'secret', secret: Buffer.alloc(32, 7), kid: 'k' } as const
const keys = await importVerificationKey(key)
const signingKey = await importSigningKey(key)
const audience = 'https://sso.example/partner/payload'

/** Each transport's writer, read back by its reader. */
const roundTrips: readonly (readonly [string, PersonTransport, () => unknown])[] = [
  [
    'command line',
    'arguments',
    () => personOf(parseArguments(buildArguments({ person: whole })).commands[0]),
  ],
  ['XML file', 'xml', () => personOf(parseXmlInput(buildXmlInput({ person: whole })).commands[0])],
  [
    'classic pipe',
    'pipe',
    () => personOf(parseClassicCommand(sent(writeClassicRequest('selectperson', argsFromPerson(whole))), {})),
  ],
  [
    'partner link',
    'contact',
    async () => {
      const contact = {
        id: '',
        ...Object.fromEntries(fieldsIn('contact').map(({ name, kind }) => [name, samples[kind]])),
      }
      const token = await signPayload({ organizationId: 'o', employeeId: 'e', contact }, signingKey, {
        audience,
      })
      return (await verifyPayload(token, { keys, audience })).person
    },
  ],
]

test.each(roundTrips)('every field that the %s carries comes back', async (_name, transport, roundTrip) => {
  const carried = Object.fromEntries(fieldsIn(transport).map(({ field, kind }) => [field, samples[kind]]))
  expect(Object.keys(carried).length).toBeGreaterThan(3)
  expect(await roundTrip()).toEqual(carried)
})

describe('the bridge', () => {
  test('takes every field from an own provider', () => {
    const { commands } = readProvided({ commands: [{ name: 'selectperson', args: whole }] })
    expect(commands[0]?.args).toEqual(whole)
  })

  test('takes every field from the page', () => {
    const message = { type: 'personSelected', person: whole }
    expect(pageMessageSchema.parse(message)).toEqual(message)
  })
})

interface Vector {
  readonly input: {
    readonly partnerLink?: object
    readonly commandLine?: readonly string[]
    readonly xml?: string
    readonly pipe?: { readonly Args?: object }
  }
  readonly expect?: object
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const { vectors }: { readonly vectors: readonly Vector[] } = JSON.parse(
  read('conformance/vectors/person-mapping.json'),
)

/** How a vector spells the fields that a transport carries. */
const spelledIn: Readonly<Record<PersonTransport, (input: Vector['input']) => readonly string[]>> = {
  contact: ({ partnerLink = {} }) => Object.keys(partnerLink),
  arguments: ({ commandLine = [] }) => commandLine.map(argument => argument.slice(0, argument.indexOf('='))),
  xml: ({ xml = '' }) => [...xml.matchAll(/<(\w+)>/g)].map(([, name = '']) => name),
  pipe: ({ pipe }) => Object.keys(pipe?.Args ?? {}),
}

const transports = Object.keys(spelledIn) as PersonTransport[]
const carried = transports.flatMap(transport =>
  fieldsIn(transport).map(row => [transport, row.name, row] as const),
)

describe.each(carried)('%s: %s', (transport, name, row) => {
  test('has a name of its own, in lower case', () => {
    expect(name).toMatch(/^[a-z_]+$/)
    expect(fieldsIn(transport).filter(other => other.name === name)).toHaveLength(1)
  })

  test('is in a vector of the person that it becomes', () => {
    const some = vectors.filter(
      ({ input, expect: person = {} }) =>
        spelledIn[transport](input).includes(name) && Object.hasOwn(person, row.field),
    )
    expect(some).not.toEqual([])
  })
})

describe.each(fields)('%s', (field, { about }) => {
  test('is described in one clause, also in the JSON Schema of a person', () => {
    expect(about).toMatch(/^\S.*[^.\s]$/)
    const { properties } = JSON.parse(read('packages/protocol-core/json-schema/person.json'))
    expect(properties[field].description).toBe(about)
  })

  test('is checked by the schema of a person', () => {
    expect(personSchema.safeParse({ [field]: [] }).success).toBe(field === 'profileData')
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
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
  maxTextLength,
  type Person,
  parseClassicCommand,
  parseSessionCall,
  type SessionCall,
  writeClassicRequest,
  writeSessionRequest,
} from '../packages/protocol-core/src/index.ts'
import { buildXmlInput, parseXmlInput } from '../packages/xml-input/src/index.ts'

const culture = 'nb-NO'
const audience = 'https://sso.example/partner/payload'
const secret = Buffer.alloc(32, 7)
const key = { kind: 'secret', secret } as const
const signingKey = await importSigningKey(key)
const verificationKey = await importVerificationKey(key)

const bytes = (text: string) => new TextEncoder().encode(text)

/** The person in focus with one text of their own, and nothing that a transport cannot carry. */
const personNamed = (firstname: string) =>
  ({ customId: '4711', firstname, lastname: 'van Dyk', dateOfBirth: '1980-04-03' }) satisfies Person

function personOf(command: Command | SessionCall | undefined): Person {
  if (command?.name !== 'selectperson') throw new Error('This is not the command that was written.')
  return command.args
}

/** What each transport's writer writes, read by its reader. */
const roundTrips = {
  'command line': (person: ReturnType<typeof personNamed>) =>
    personOf(parseArguments(buildArguments({ person }), { culture }).commands[0]),
  'XML file': (person: ReturnType<typeof personNamed>) =>
    personOf(parseXmlInput(bytes(buildXmlInput({ person })), { culture }).commands[0]),
  'classic pipe': (person: ReturnType<typeof personNamed>) => {
    const body = bytes(writeClassicRequest('selectperson', argsFromPerson(person)))
    return personOf(parseClassicCommand(decodeRequest(body), { culture }))
  },
  'session pipe': (person: ReturnType<typeof personNamed>) => {
    const body = bytes(writeSessionRequest(1, 'selectperson', argsFromPerson(person)))
    return personOf(parseSessionCall(decodeRequest(body), { culture }))
  },
  'partner link': async ({ customId, dateOfBirth, ...names }: ReturnType<typeof personNamed>) => {
    const contact = { id: customId, birthdate: dateOfBirth, ...names }
    const claims = { organizationId: 'o', employeeId: 'e', contact }
    const token = await signPayload(claims, signingKey, { audience })
    return (await verifyPayload(token, { keys: verificationKey, audience })).person
  },
}

/** A text of about the longest length, of characters that are one UTF-16 code unit and of others that are two. */
const textsAtTheLimit = fc
  .tuple(fc.integer({ min: -2, max: 2 }), fc.nat(maxTextLength))
  .map(([over, astral]) => {
    const length = maxTextLength + over
    return '𝒜'.repeat(Math.min(astral, length)) + 'å'.repeat(Math.max(length - astral, 0))
  })

test.each(Object.entries(roundTrips))(
  '%s: what is written at the limit of length is read, whatever its characters are',
  async (_name, roundTrip) => {
    await fc.assert(
      fc.asyncProperty(textsAtTheLimit, async text => {
        const person = personNamed(text)
        const read = (async () => roundTrip(person))()
        if ([...text].length <= maxTextLength) await expect(read).resolves.toEqual(person)
        else
          await expect(read).rejects.toMatchObject({
            issues: [
              { path: expect.stringMatching(/(^|\.)firstname$/), problem: 'is longer than 4096 characters' },
            ],
          })
      }),
      { numRuns: 30, examples: [['𝒜'.repeat(maxTextLength)], ['𝒜'.repeat(maxTextLength + 1)]] },
    )
  },
)

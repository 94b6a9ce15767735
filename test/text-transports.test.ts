import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildArguments, parseArguments, readLaunchWords } from '../packages/cli-args/src/index.ts'
import {
  importSigningKey,
  importVerificationKey,
  signPayload,
  verifyPayload,
} from '../packages/jwt-payload/src/index.ts'
import {
  argsFromPerson,
  decodeRequest,
  parseClassicCommand,
  parseSessionCall,
} from '../packages/protocol-core/src/index.ts'
import { readProvided } from '../packages/wrapper-host/src/launch/guard-provider.ts'
import { readPageAnswer } from '../packages/wrapper-host/src/web-app/read-page.ts'
import { buildXmlInput } from '../packages/xml-input/src/index.ts'

const culture = 'nb-NO'
const audience = 'https://sso.example/partner/payload'
const secret = Buffer.alloc(32, 7)
const key = { kind: 'secret', secret, kid: 'k' } as const
const signingKey = await importSigningKey(key)
const verificationKey = await importVerificationKey(key)

const bytes = (text: string) => new TextEncoder().encode(text)

const person = { customId: '4711', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' }
const contact = { id: '4711', firstname: 'Ola' }
const claims = { organizationId: 'o', employeeId: 'e', contact }
const entry = { key: 'weight' }

const readArguments = (...argv: string[]) => parseArguments(argv, { culture })
const readClassic = (method: string, args: object) =>
  parseClassicCommand(decodeRequest(bytes(JSON.stringify({ Method: method, Args: args }))), { culture })
const readSession = (method: string, args: object, id: unknown = 1) =>
  parseSessionCall(decodeRequest(bytes(JSON.stringify({ Id: id, Method: method, Args: args }))), { culture })
const selectIn = (args: object) => readClassic('selectperson', { ...argsFromPerson(person), ...args })
const readEntry = (more: object) => selectIn({ profiledata: [{ key: 'a' }, { ...entry, ...more }] })

const link = (more: object) => readToken({ ...claims, ...more })
const linkContact = (more: object) => link({ contact: { ...contact, ...more } })
const sign = (more: object, options = {}) =>
  signPayload({ ...claims, ...more }, signingKey, { audience, ...options })
const answer = (command: 'selectperson' | 'getlistofusers', value: unknown) =>
  readPageAnswer(command, { type: 'result', value })

/** A token signed without this library, which would refuse to sign it. */
function readToken(given: object) {
  const now = Math.floor(Date.now() / 1000)
  const all = { aud: audience, iat: now, exp: now + 60, jti: crypto.randomUUID(), ...given }
  const parts = [{ alg: 'HS256' }, all].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const signature = createHmac('sha256', secret).update(parts.join('.')).digest('base64url')
  return verifyPayload([...parts, signature].join('.'), { keys: verificationKey, audience })
}

/** The entries of a text: transport, path in a refusal, and the call of the reader or writer. */
const places: readonly (readonly [transport: string, path: string, read: (text: string) => unknown])[] = [
  [
    'command line',
    'id',
    id => readArguments(`id=${id}`, 'firstname=A', 'lastname=B', 'dateofbirth=1980-04-03'),
  ],
  ['command line', 'firstname', text => readArguments('id=1', `firstname=${text}`, 'lastname=B')],
  ['command line', 'queryexercises', text => readArguments(`queryexercises=${text}`)],
  ['command line', 'provider', text => readArguments(`provider=A.${text}, A`)],
  ['command line', 'payload', text => readArguments(`payload=@/tmp/${text}`)],
  ['command line', 'own.name', text => readLaunchWords([`own.name=${text}`])],
  ['command line', 'argument 2', text => readLaunchWords(['a', `acme://${text}`])],
  ['command line', 'argument 1', text => readArguments(`${text}.xml`)],
  ['command line, written', 'customId', text => buildArguments({ person: { ...person, customId: text } })],
  ['command line, written', 'queryWorkouts', text => buildArguments({ queryWorkouts: text })],
  ['XML file, written', 'customId', text => buildXmlInput({ person: { ...person, customId: text } })],
  ['XML file, written', 'queryExercises', text => buildXmlInput({ queryExercises: text })],
  ['classic pipe', 'customid', text => selectIn({ customid: text })],
  ['classic pipe', 'id', text => selectIn({ id: text })],
  ['classic pipe', 'firstname', text => selectIn({ firstname: text })],
  ['classic pipe', 'dateofbirth', text => selectIn({ dateofbirth: text })],
  ['classic pipe', 'gender', text => selectIn({ gender: text })],
  ['classic pipe', 'profiledata.1.key', text => readEntry({ key: text })],
  ['classic pipe', 'profiledata.1.value', text => readEntry({ value: text })],
  ['classic pipe', 'profiledata.1.own.0.deep', text => readEntry({ own: [{ deep: text }] })],
  ['classic pipe', 'customid', text => readClassic('setcustomid', { userid: 1, customid: text })],
  ['classic pipe', 'customid', text => readClassic('getlistofusers', { customid: text })],
  ['classic pipe', 'customid', text => readClassic('getworkoutsforclient', { customid: text })],
  ['session pipe', 'text', text => readSession('queryexercises', { text })],
  ['session pipe', 'Id', text => readSession('version', {}, text)],
  ['session pipe', 'id', text => readSession('cancel', { id: text })],
  ['partner link', 'organizationId', organizationId => link({ organizationId })],
  ['partner link', 'employeeId', employeeId => link({ employeeId })],
  ['partner link', 'employeeEmail', employeeEmail => link({ employeeEmail })],
  ['partner link', 'contact.id', id => linkContact({ id })],
  ['partner link', 'contact.own', own => linkContact({ own })],
  ['partner link', 'own.0.deep', deep => link({ own: [{ deep }] })],
  ['partner link', 'jti', jti => link({ jti })],
  ['partner link, written', 'contact.id', id => sign({ contact: { ...contact, id } })],
  ['partner link, written', 'own', own => sign({ extra: { own } })],
  ['partner link, written', 'jti', tokenId => sign({}, { tokenId })],
  [
    'answer of the page',
    'customId',
    customId => answer('selectperson', { status: 'selected', userId: 1, customId }),
  ],
  [
    'answer of the page',
    '1.customId',
    customId => answer('getlistofusers', [{ id: 1 }, { id: 2, customId }]),
  ],
  [
    'own provider',
    'commands.0.args.customId',
    customId => readProvided({ commands: [{ name: 'selectperson', args: { ...person, customId } }] }),
  ],
]

const unkeepable = [
  ['the first half of a surrogate pair', 'a\ud800b', 'holds half of a character (a lone surrogate)'],
  ['the character U+0000', 'a\0b', 'holds the character U+0000'],
] as const

test.each(places.flatMap(place => unkeepable.map(text => [...text, ...place] as const)))(
  '%s (%j) is refused: it %s; %s, %s',
  async (_name, text, problem, _transport, path, read) => {
    const error: unknown = await (async () => read(text))().then(
      () => undefined,
      thrown => thrown,
    )
    if (!(error instanceof Error)) throw new Error('This was accepted.')
    expect(error.message).toContain(`${path} ${problem}`)
    expect(error.message.isWellFormed()).toBe(true)
  },
)

test.each(places)('%s, %s: text of any script is accepted', async (_transport, path, read) => {
  const text = /dateofbirth|gender/.test(path) ? '' : 'Å山😀'
  await (async () => read(text))().catch((error: unknown) => {
    if (path !== 'firstname') throw error
  })
})

test.each(unkeepable)('a name with %s (%j) is refused: it %s', async (_name, name, problem) => {
  for (const [path, read] of [
    ['profiledata.1.', () => readEntry({ [name]: 1 })],
    ['profiledata.1.own.0.', () => readEntry({ own: [{ [name]: 1 }] })],
    ['', () => link({ [name]: 1 })],
    ['own.', () => link({ own: { [name]: 1 } })],
    ['contact.', () => linkContact({ [name]: 1 })],
  ] as const) {
    const shown = name.replaceAll('\0', '\ufffd').toWellFormed()
    await expect((async () => read())()).rejects.toMatchObject({
      issues: [{ path: `${path}${shown}`, problem: `has a name that ${problem}` }],
    })
  }
})

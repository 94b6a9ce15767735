import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { readSubcommand } from './subcommands.ts'

const audience = 'https://sso.example/partner/payload'

const looking = `--key a --audience ${audience}`

/** A command line; no word of it has a blank. */
const words = (line: string) => line.split(' ').filter(Boolean)

test.each<[string, object]>([
  ['keygen --name=J --secret --json', { action: 'keygen', name: 'J', out: '.', secret: true, json: true }],
  [
    'keygen --name J --out keys --algorithm PS256 --days 30 --issuer i --id j',
    {
      ...{ action: 'keygen', name: 'J', out: 'keys', algorithm: 'PS256', days: 30 },
      ...{ issuer: 'i', id: 'j', secret: false, json: false },
    },
  ],
  [
    `sign --key k --audience ${audience} --claims=c --expires-in 300`,
    { action: 'sign', key: 'k', audience, claims: 'c', expiresIn: 300 },
  ],
  [`verify ${looking} --key b -`, { action: 'verify', key: ['a', 'b'], audience, json: false }],
  [
    `verify ${looking} --at 2026-06-01T14:00:00+02:00`,
    { action: 'verify', key: ['a'], audience, at: new Date('2026-06-01T12:00:00Z'), json: false },
  ],
  [
    `explain ${looking} --policy lenient --show-claims --file t --at iat`,
    {
      ...{ action: 'explain', key: ['a'], audience, policy: 'lenient' },
      ...{ showClaims: true, json: false, file: 't', at: 'iat' },
    },
  ],
  [
    `post ${audience} --key k --timeout 5 --json`,
    { action: 'post', url: audience, key: 'k', timeout: 5, json: true },
  ],
  [`open ${audience} --token t`, { action: 'open', url: audience, token: 't' }],
])('%s', (line, request) => {
  expect(readSubcommand(words(line))).toEqual(request)
})

const badTime = '--at needs iat, or a time with its zone, such as 2026-06-01T12:00:00Z.'
const openly = 'Give the token on standard input or by --file: other users of the machine can read arguments.'

test.each([
  ['', 'Name a subcommand.'],
  ['sing --key k', 'There is no such subcommand. Did you mean sign?'],
  ['keygen', "Required option '--name <text>' not specified."],
  ['keygen --name J --algorithm HS256', 'Allowed choices are RS256, PS256, ES256, ES384, ES512, EdDSA.'],
  ['keygen --name J --days 0', '--days needs a whole number from 1 to 3653.'],
  ['keygen --name J --days 3654', '--days needs a whole number from 1 to 3653.'],
  ['keygen --name J --days 1e2', '--days needs a whole number from 1 to 3653.'],
  ['keygen --name J extra', 'Too many arguments'],
  [
    `sign --key k --audience ${audience} --expires-in 301`,
    '--expires-in needs a whole number from 1 to 300.',
  ],
  [`sign --key k --audience ${audience} --nonsense`, 'There is no such option.'],
  ['sign --key k --audience sso.example', 'needs an absolute address'],
  [`explain ${looking} --at 2026-06-01T12:00:00`, badTime],
  [`explain ${looking} --at 2026-13-01T12:00:00Z`, badTime],
  [`verify --audience ${audience}`, "Required option '--key <file or url>' not specified."],
  [`verify ${looking} --policy none`, 'Allowed choices are strict, lenient.'],
  [`verify ${looking} aa.bb.cc`, openly],
  [`explain ${looking} aa.bb.cc`, openly],
  ['post javascript:1', 'needs an absolute address'],
  [`post ${audience} --timeout -1`, '--timeout needs a whole number from 1 to 3600.'],
])('%j is refused: %s', (line, sentence) => {
  const read = () => readSubcommand(words(line))
  expect(read).toThrow(
    expect.objectContaining({ code: 'ERR_USAGE', message: expect.stringContaining(sentence) }),
  )
  expect(read).not.toThrow(/^error:|\n/)
})

test('--version prints the package’s version', () => {
  expect(readSubcommand(['--version'])).toEqual({ action: 'help', text: `${manifest.version}\n` })
})

describe('help', () => {
  test('names every subcommand and the exit codes', () => {
    const line = readSubcommand(['--help'])
    expect(line.action).toBe('help')
    const text = line.action === 'help' ? line.text : ''
    for (const word of ['keygen', 'sign', 'verify', 'explain', 'post', 'open', 'Exit codes: 0'])
      expect(text).toContain(word)
  })

  test.each([
    ['keygen', '--secret'],
    ['sign', '--expires-in'],
    ['verify', '--policy'],
    ['explain', '--show-claims'],
    ['post', '--timeout'],
    ['open', '--token'],
  ])('%s --help: the subcommand’s options, in lines that fit', (subcommand, option) => {
    const line = readSubcommand([subcommand, '--help'])
    const text = line.action === 'help' ? line.text : ''
    expect(text).toContain(`Usage: service-payload ${subcommand}`)
    expect(text).toContain(option)
    for (const row of text.split('\n')) expect(row.length).toBeLessThanOrEqual(90)
  })
})

import { memoryTerminal } from '@service-link/terminal/testing'
import { keyText } from '@service-link/test-kit/payload-vectors'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { readSubcommand } from './subcommands.ts'

const audience = 'https://sso.example/partner/payload'

const looking = `--key a --audience ${audience}`

/** A command line; no word of it has a blank. */
const words = (line: string) => line.split(' ').filter(Boolean)

const content = (option: string) => `${option} needs the name of a file, not what is in it.`
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
  ['keygen --name J extra', 'keygen takes no arguments'],
  [
    'keygen --name J --secret --algorithm ES256',
    "Option '--secret' cannot be used with option '--algorithm <name>'.",
  ],
  [
    `sign --key k --audience ${audience} --expires-in 301`,
    '--expires-in needs a whole number from 1 to 300.',
  ],
  [`sign --key k --audience ${audience} --nonsense`, 'There is no such option.'],
  [`sign --alg ES256 --key k --audience ${audience}`, 'Did you mean --algorithm?'],
  [`sign --key k --audience ${audience} claims.json`, 'give a file as --key <file> or --claims <file>.'],
  ['sign --key k --audience sso.example', 'must be an absolute http or https URL'],
  [`explain ${looking} --at 2026-06-01T12:00:00`, badTime],
  [`explain ${looking} --at 2026-13-01T12:00:00Z`, badTime],
  [`verify --audience ${audience}`, "Required option '--key <file or url>' not specified."],
  [`verify ${looking} --policy none`, 'Allowed choices are strict, lenient.'],
  [`verify ${looking} aa.bb.cc`, openly],
  [`explain ${looking} aa.bb.cc`, openly],
  ['post javascript:1', 'must be an absolute http or https URL'],
  // The content of a file, as $(cat …) writes it, is repeated nowhere.
  [`sign --audience ${audience} --key -----BEGIN`, content('--key')],
  [`verify --audience ${audience} --key ${keyText('secret', 'secret')}`, content('--key')],
  [`sign --audience ${audience} --key k --claims {"a":1}`, content('--claims')],
  [`post ${audience} --token eyJhbGciOiJub25lIn0.e30.`, content('--token')],
  [`verify ${looking} --file Zm9v/YmFyCg==`, content('--file')],
  ['keygen --name J --out deadbeef00000000deadbeef00000000', '--out needs the name of a folder, not what is'],
  [`post ${audience} --timeout -1`, '--timeout needs a whole number from 1 to 3600.'],
])('%j is refused: %s', (line, sentence) => {
  const read = () => readSubcommand(words(line))
  expect(read).toThrow(
    expect.objectContaining({ code: 'ERR_USAGE', message: expect.stringContaining(sentence) }),
  )
  expect(read).not.toThrow(/^error:|\n/)
})

test.each([
  '/home/Anna2/Keys/PartnerLink2026/Production.private.pem',
  'C:\\Keys\\journal-2026-production-of-the-clinic',
])('a long path is no content: %s', path =>
  expect(() => readSubcommand(['sign', '--key', path, '--audience', audience])).not.toThrow(),
)

async function printed(...argv: string[]): Promise<string> {
  const terminal = memoryTerminal()
  expect(await readSubcommand(argv)(terminal)).toBeUndefined()
  return terminal.printed()
}

test('--version prints the package’s version', async () => {
  expect(await printed('--version')).toBe(`${manifest.version}\n`)
})

test('help names every subcommand and the exit codes', async () => {
  const text = await printed('--help')
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
])('%s --help: the subcommand’s options, in lines that fit', async (subcommand, option) => {
  const text = await printed(subcommand, '--help')
  expect(text).toContain(`Usage: service-payload ${subcommand}`)
  expect(text).toContain(option)
  for (const row of text.split('\n')) expect(row.length).toBeLessThanOrEqual(90)
})

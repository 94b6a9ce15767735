import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { readSubcommand } from './subcommands.ts'

const audience = 'https://sso.example/partner/payload'

describe('subcommands that are understood', () => {
  const lines: [string[], object][] = [
    [
      ['keygen', '--name', 'Journal AS'],
      { action: 'keygen', name: 'Journal AS', out: '.', secret: false, json: false },
    ],
    [
      [
        'keygen',
        '--name',
        'J',
        '--out',
        'keys',
        '--algorithm',
        'PS256',
        '--days',
        '30',
        '--issuer',
        'i',
        '--id',
        'j',
      ],
      {
        action: 'keygen',
        name: 'J',
        out: 'keys',
        algorithm: 'PS256',
        days: 30,
        issuer: 'i',
        id: 'j',
        secret: false,
        json: false,
      },
    ],
    [
      ['keygen', '--name=J', '--secret', '--json'],
      { action: 'keygen', name: 'J', out: '.', secret: true, json: true },
    ],
    [['sign', '--key', 'k', '--audience', audience], { action: 'sign', key: 'k', audience }],
    [
      ['sign', '--key', 'k', '--audience', audience, '--claims=c', '--expires-in', '300'],
      { action: 'sign', key: 'k', audience, claims: 'c', expiresIn: 300 },
    ],
    [
      ['verify', '--key', 'a.pem', '--key', 'b.pem', '--audience', audience, '-'],
      { action: 'verify', key: ['a.pem', 'b.pem'], audience, json: false },
    ],
    [
      [
        'explain',
        '--key',
        'a',
        '--audience',
        audience,
        '--policy',
        'lenient',
        '--show-claims',
        '--file',
        't',
      ],
      {
        action: 'explain',
        key: ['a'],
        audience,
        policy: 'lenient',
        showClaims: true,
        json: false,
        file: 't',
      },
    ],
    [
      ['verify', '--key', 'a', '--audience', audience, '--at', '2026-06-01T14:00:00+02:00'],
      { action: 'verify', key: ['a'], audience, at: new Date('2026-06-01T12:00:00Z'), json: false },
    ],
    [
      ['explain', '--key', 'a', '--audience', audience, '--at', 'iat'],
      { action: 'explain', key: ['a'], audience, at: 'iat', showClaims: false, json: false },
    ],
    [['post', audience], { action: 'post', url: audience, json: false }],
    [
      ['post', audience, '--key', 'k', '--timeout', '5', '--json'],
      { action: 'post', url: audience, key: 'k', timeout: 5, json: true },
    ],
    [['open', audience, '--token', 't'], { action: 'open', url: audience, token: 't' }],
    [
      ['open', audience, '--key', 'k', '--expires-in', '30'],
      { action: 'open', url: audience, key: 'k', expiresIn: 30 },
    ],
  ]
  test.each(lines)('%j', (argv, request) => {
    expect(readSubcommand(argv)).toEqual(request)
  })
})

describe('arguments that are refused', () => {
  const misuses: [string[], string][] = [
    [[], 'Name a subcommand.'],
    [['nonsense'], 'There is no such subcommand.'],
    [['sing', '--key', 'k'], 'There is no such subcommand. Did you mean sign?'],
    [['help'], 'There is no such subcommand.'],
    [['keygen'], "Required option '--name <text>' not specified."],
    [
      ['keygen', '--name', 'J', '--algorithm', 'HS256'],
      'Allowed choices are RS256, PS256, ES256, ES384, ES512, EdDSA.',
    ],
    [['keygen', '--name', 'J', '--days', '0'], '--days needs a whole number from 1 to 3653.'],
    [['keygen', '--name', 'J', '--days', '1e2'], '--days needs a whole number from 1 to 3653.'],
    [['keygen', '--name', 'J', 'extra'], 'Too many arguments'],
    [['sign', '--key', 'k'], "Required option '--audience <url>' not specified."],
    [
      ['sign', '--key', 'k', '--audience', audience, '--expires-in', '301'],
      '--expires-in needs a whole number from 1 to 300.',
    ],
    [['sign', '--key', 'k', '--audience', audience, '--nonsense'], 'There is no such option.'],
    ...['now', '2026-06-01', '2026-06-01T12:00:00', '2026-13-01T12:00:00Z', '1780315200'].map(
      (text): [string[], string] => [
        ['explain', '--key', 'a', '--audience', audience, '--at', text],
        '--at needs iat, or a time with its zone, such as 2026-06-01T12:00:00Z.',
      ],
    ),
    [['verify', '--audience', audience], "Required option '--key <file or url>' not specified."],
    [
      ['verify', '--audience', audience, '--key', 'k', '--policy', 'none'],
      'Allowed choices are strict, lenient.',
    ],
    [['sign', '--key', 'k', '--audience', 'sso.example'], 'needs an absolute address'],
    [['verify', '--key', 'k', '--audience', ''], 'needs an absolute address'],
    ...['verify', 'explain'].map((subcommand): [string[], string] => [
      [subcommand, '--key', 'k', '--audience', audience, 'aa.bb.cc'],
      'Give the token on standard input or by --file: other users of the machine can read arguments.',
    ]),
    [['open', 'javascript:1'], 'needs an absolute address'],
    [['open', audience, '--json'], 'There is no such option.'],
    [['post', 'javascript:1'], 'needs an absolute address'],
    [['post'], "Missing required argument 'url'."],
    [['post', audience, '--timeout', '-1'], '--timeout needs a whole number from 1 to 3600.'],
  ]
  test.each(misuses)('%j: %s', (argv, sentence) => {
    let message = ''
    try {
      readSubcommand(argv)
    } catch (error) {
      message = error instanceof Error ? error.message : ''
      expect(error).toMatchObject({ code: 'ERR_USAGE' })
    }
    expect(message).toContain(sentence)
    expect(message).not.toMatch(/^error:|\n/)
  })
})

test('--version prints the package’s version', () => {
  expect(readSubcommand(['--version'])).toEqual({ action: 'help', text: `${manifest.version}\n` })
})

describe('help', () => {
  test.each([[['--help']], [['-h']]])('%j: every subcommand and the exit codes', argv => {
    const line = readSubcommand(argv)
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

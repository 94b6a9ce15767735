import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startLaunch } from '../launch.ts'
import { copiesOf } from './copies.ts'

/** Texts that end literals, comments and commands in some language, or hide from a reader. */
const hostile = [
  `'; process.exit(9) //`,
  `"; System.Environment.Exit(9); //`,
  `""" + exit(9) + """`,
  "'''",
  `\${process.exit(9)}\``,
  '$(exit 9)`exit 9`',
  `' ; exit 9 ; '`,
  '" & exit 9 & "',
  '%PATH%%PATH:a=b%',
  '!PATH!^!',
  '\\',
  '\\"',
  '\\u0022',
  'a\r\nb\u0085c\u2028d\u2029e\ffg',
  '\u202e\u2066\ufeff\u{e0001}\ud800',
  '\0',
  '{0}[1-9]{a,b}',
  '-o/tmp/x',
  '@/etc/passwd',
]

const start = startLaunch({ address: 'https://sso.example/', claims: {} })

type Facts = Parameters<typeof copiesOf>[0]

const plain = { token: 'eyJh.eyJj.c2ln', keyId: undefined, issuer: undefined }

/** Each sign that some reader may treat alone: ASCII, Latin, controls and the invisible ones. */
const signs = [0, 0x80, 0x100, 0x2000, 0x2028, 0xfe00, 0xff00].flatMap(from =>
  Array.from({ length: 0x80 }, (_, index) => `a${String.fromCharCode(from + index)}b`),
)

/** Several launches at once: starting a language's program takes longer than reading a hundred texts. */
const launches = [...hostile, ...signs].map(
  (value): Facts => ({
    token: 'eyJh.eyJj.c2ln',
    keyId: value,
    issuer: value,
    launch: {
      ...start,
      // As a link without a schema would bring it.
      ...JSON.parse(JSON.stringify({ algorithm: value })),
      address: `https://sso.example/${value}`,
      claims: JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(value)}:[${JSON.stringify(value)},null]}`),
    },
  }),
)

const textOf = (one: Facts, name: string) => {
  const copy = copiesOf(one)[name]
  return copy && 'text' in copy ? copy.text : undefined
}

/** What a program of the copies signs and where it posts. */
const meaningOf = ({ launch, keyId, issuer }: Facts) => ({
  address: launch.address,
  claims: JSON.stringify(launch.claims),
  keyId,
  issuer,
})

describe('whatever the values are, a copy means them and nothing else', () => {
  test('in TypeScript', async () => {
    for (const one of launches) {
      const seen: Record<string, unknown> = {}
      const body = textOf(one, 'TypeScript')?.replace(/^import .*\nimport .*\n/, '')
      const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
      const run = new AsyncFunction(
        'readFileSync',
        'importSigningKey',
        'signPayload',
        'postPayload',
        'console',
        body,
      )
      await run(
        () => '',
        (key: { kid?: string }) => Object.assign(seen, { keyId: key.kid }),
        (claims: object, _key: unknown, { audience, issuer }: Record<string, string>) =>
          Object.assign(seen, { claims: JSON.stringify(claims), audience, issuer }),
        (to: string) => Object.assign(seen, { address: to }),
        { log: () => undefined },
      )
      const { address } = one.launch
      expect(seen).toEqual({ ...meaningOf(one), audience: address })
    }
  })

  test.skipIf(!canRun('/usr/bin/python3'))('in Python', async () => {
    await using folder = await temporaryFolder()
    await folder.write('programs.json', JSON.stringify(launches.map(one => textOf(one, 'Python'))))
    await folder.write('run.py', pythonDriver)
    const seen: Record<string, unknown>[] = JSON.parse(folder.run('/usr/bin/python3', 'run.py'))
    expect(seen.map(({ claims, ...one }) => ({ ...one, claims: JSON.stringify(claims) }))).toEqual(
      launches.map(one =>
        JSON.parse(JSON.stringify({ issuer: null, keyId: null, ...definedOf(meaningOf(one)) })),
      ),
    )
  })

  test.skipIf(!canRun('/usr/bin/mcs'))('in C#', async () => {
    await using folder = await temporaryFolder()
    const literals = launches.flatMap(one => {
      const program = textOf(one, 'C#') ?? ''
      return ['address', 'header', 'claims'].map(
        name => new RegExp(`^ {8}var ${name} = (".*")(?:;|$)`, 'm').exec(program)?.[1] ?? '',
      )
    })
    // UTF-16 in hexadecimal, because UTF-8 has no lone surrogates.
    await folder.write(
      'Program.cs',
      `static class Program { static void Main() { foreach (var text in new string[] {\n${literals.join(',\n')}
        }) { foreach (var unit in text) System.Console.Write(((int)unit).ToString("x4")); System.Console.WriteLine(); } } }`,
    )
    folder.run('mcs', '-langversion:5', '-warnaserror', 'Program.cs')
    const seen = folder.run('mono', 'Program.exe').trimEnd().split('\n')
    const written = seen.map(line =>
      (line.match(/.{4}/g) ?? []).map(unit => String.fromCharCode(Number.parseInt(unit, 16))).join(''),
    )
    expect(written).toEqual(
      launches.flatMap(({ launch, keyId, issuer }) => [
        launch.address,
        JSON.stringify({ alg: 'ES256', typ: 'JWT', kid: keyId }),
        JSON.stringify({ ...launch.claims, aud: launch.address, iss: issuer }).slice(0, -1),
      ]),
    )
  })

  const called = launches.filter(one => /^https?:$/.test(URL.parse(one.launch.address)?.protocol ?? ''))
  const wordsOf = ({ token, launch }: Facts) => [
    token,
    '-sS',
    '-g',
    '-H',
    'Accept: application/json',
    '--data-urlencode',
    'payload@-',
    '--url',
    new URL(launch.address).href,
  ]

  test.skipIf(process.platform === 'win32')('as curl in a POSIX shell', async () => {
    await using folder = await temporaryFolder()
    const lines = called.map(one => textOf(one, 'curl'))
    await folder.write('run.sh', `curl() { printf '%s\\0' "$(cat)" "$@"; }\n${lines.join('\n')}\n`)
    expect(folder.run('sh', 'run.sh')).toBe(
      called
        .flatMap(wordsOf)
        .map(word => `${word}\0`)
        .join(''),
    )
  })

  test('as curl in PowerShell, or the copy says that it cannot', () => {
    for (const one of launches) {
      const line = textOf(one, 'curl for Windows')
      if (line === undefined) continue
      const { token, launch } = one
      expect(line).toBe(
        `'payload=${token}' | curl.exe -sS -g -H "Accept: application/json" --data "@-" --url "${launch.address}"`,
      )
      // Nothing that PowerShell reads between quotes, nor cmd.exe, if somebody takes that.
      expect(token + launch.address).not.toMatch(/[^\w.:[\]~/?=-]/)
    }
    for (const address of ['https://sso.example/partner/payload', 'http://[::1]:4000/p?a=b'])
      expect(textOf({ ...plain, launch: { ...start, address } }, 'curl for Windows')).toContain(
        `"${address}"`,
      )
  })

  test('of an address that is none, no command is made', () => {
    for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'sso.example', ''])
      for (const name of ['curl', 'curl for Windows'])
        expect(copiesOf({ ...plain, launch: { ...start, address } })[name]).toHaveProperty('problem')
  })

  test('no copy has a character that a reader does not see', () => {
    for (const one of launches)
      for (const name of Object.keys(copiesOf(one)))
        expect(textOf(one, name) ?? '').not.toMatch(/[^\p{L}\p{M}\p{N}\p{P}\p{S} \n]/u)
  })
})

const definedOf = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))

/** Runs each program with modules that record. */
const pythonDriver = `
import json, sys, types, urllib.request
seen = []
class Jwt(types.ModuleType):
    def encode(self, claims, key, algorithm, headers={}):
        own = {k: v for k, v in claims.items() if k not in ("aud", "iat", "exp", "jti", "iss")}
        seen.append({"address": None, "claims": own, "keyId": headers.get("kid"), "issuer": claims.get("iss")})
        return "token"
sys.modules["jwt"] = Jwt("jwt")
class Request:
    def __init__(self, address, form, headers): seen[-1]["address"] = address
urllib.request.Request = Request
class Reply:
    def read(self): return '{"url": ""}'
urllib.request.urlopen = lambda request: Reply()
import io
for program in json.load(open("programs.json", encoding="utf-8")):
    exec(compile(program, "copy", "exec"), {"open": lambda name: io.StringIO(""), "print": lambda *words: None})
print(json.dumps(seen))
`

/** Whether a language is there. In CI it must be, but on Windows. */
function canRun(program: string): boolean {
  return process.platform !== 'win32' && (Boolean(process.env.CI) || existsSync(program))
}

async function temporaryFolder() {
  const cwd = await mkdtemp(join(tmpdir(), 'copies-'))
  return {
    write: (name: string, content: string) => writeFile(join(cwd, name), content),
    run: (program: string, ...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd,
        encoding: 'utf8',
        timeout: 120_000,
        maxBuffer: 2 ** 26,
      })
      expect({ program, status, stderr }).toEqual({ program, status: 0, stderr: '' })
      return stdout
    },
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true }),
  }
}

import type { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import { InterruptedError } from '@service-link/terminal'
import { memoryTerminal } from '@service-link/terminal/testing'
import { keyText, registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import {
  audience,
  claims,
  finish,
  runHere,
  startCli,
  temporaryFolder,
} from '@service-link/test-kit/service-payload'
import { describe, expect, test } from 'vitest'
import { runServicePayload } from '../../src/cli/run-service-payload.ts'
import { signPayload } from '../../src/index.ts'

const kept = ['Nordmann', '01018012345', 'emp-secret-7', 'org-secret-1']

/** Writes keys of the vectors as files. */
async function keyFolder() {
  const folder = await temporaryFolder()
  await writeFile(folder.file('private.pem'), keyText('rsa', 'privatePem'))
  await writeFile(folder.file('public.pem'), keyText('rsa', 'pem'))
  await writeFile(folder.file('secret'), keyText('secret', 'secret'))
  await writeFile(folder.file('public.jwk.json'), JSON.stringify(jwkOf('p256')))
  await writeFile(folder.file('jwks.json'), JSON.stringify({ keys: [jwkOf('p384'), jwkOf('p256')] }))
  await writeFile(folder.file('expired.pem'), keyText('expiredCertificate', 'pem'))
  await writeFile(folder.file('weak.pem'), keyText('weakRsa', 'pem'))
  await writeFile(folder.file('broken.json'), '{"kty"')
  await writeFile(folder.file('other.json'), '{"a":1}')
  const kindless = { id: 'a', name: 'A', keys: { kind: 'pem', pem: keyText('rsa', 'pem') } }
  await writeFile(folder.file('kind.json'), JSON.stringify(kindless))
  await writeFile(
    folder.file('policy.json'),
    JSON.stringify([{ ...kindless, policy: 'Strict', keys: [registeredKey('p256')] }]),
  )
  await writeFile(folder.file('claims.json'), JSON.stringify(claims))
  return folder
}

function jwkOf(name: string): unknown {
  const key = registeredKey(name)
  return key.kind === 'jwk' ? key.jwk : undefined
}

const issuer = 'https://journal.example'

const sign = (key = 'rsa') => signPayload(claims, signingKey(key), { audience })

describe('sign', () => {
  test('2 for claims or keys that cannot be used, and nothing on standard output', async () => {
    await using folder = await keyFolder()
    const base = ['sign', '--audience', audience]
    const json = JSON.stringify(claims)
    const cases: [string[], string | Uint8Array, RegExp][] = [
      [['--key', folder.file('none.pem')], json, /none\.pem with the key cannot be read: it does not exist/],
      [['--key', folder.path], json, /it is a folder/],
      [['--key', folder.file('public.pem')], json, /is a public key or certificate, which cannot sign/],
      [['--key', folder.file('other.json')], json, /no JSON Web Key/],
      [['--key', folder.file('broken.json')], json, /begins like JSON, but is not JSON/],
      [['--key', folder.file('private.pem'), '--algorithm', 'ES256'], json, /ERR_KEY_IMPORT/],
      [['--key', folder.file('secret')], json, /names nobody\. Give --kid, or --issuer/],
      [['--key', folder.file('private.pem')], '', /Standard input is empty/],
      [['--key', folder.file('private.pem')], 'organizationId=1', /The claims are not JSON/],
      [['--key', folder.file('private.pem')], '{"a":1,}', /The claims are not JSON \(line 1 column 8\)/],
      [['--key', folder.file('private.pem')], '[]', /not a JSON object/],
      [['--key', folder.file('private.pem')], Buffer.from([0x7b, 0xff, 0x7d]), /not UTF-8/],
      [['--key', folder.file('private.pem')], 'x'.repeat(70_000), /larger than 65536 bytes/],
      [['--key', folder.file('private.pem'), '--claims', folder.file('none')], '', /does not exist/],
    ]
    for (const [args, stdin, sentence] of cases) {
      const { exitCode, stdout, stderr } = await runHere([...base, ...args], stdin)
      expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 2, stdout: '' })
      expect(stderr).toMatch(sentence)
      for (const word of [...kept, 'PRIVATE KEY-----\nM']) expect(stderr).not.toContain(word)
    }
  })

  test('4 for claims that the service would refuse, named without their values', async () => {
    await using folder = await keyFolder()
    const { exitCode, stdout, stderr } = await runHere(
      ['sign', '--key', folder.file('private.pem'), '--audience', audience],
      JSON.stringify({
        ...claims,
        organizationId: 17,
        contact: { ...claims.contact, birthdate: 'Nordmann' },
      }),
    )
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
    expect(stderr).toMatch(/organizationId.*contact\.birthdate.*\[ERR_PAYLOAD_SHAPE\]/)
    for (const word of kept) expect(stderr).not.toContain(word)
  })
})

describe('verify', () => {
  test('accepts every form of a registered key and every place of the token', async () => {
    await using folder = await keyFolder()
    for (const [key, name, ...named] of [
      ['rsa', 'public.pem', '--kid', 'rsa'],
      ['p256', 'public.jwk.json'],
      ['secret', 'secret', '--kid', 'secret'],
    ] as const) {
      const token = await signPayload(claims, signingKey(key), { audience, issuer })
      await writeFile(folder.file('token'), `${token}\r\n`)
      const base = ['verify', '--key', folder.file(name), '--audience', audience, ...named]
      for (const [args, stdin] of [
        [['--file', folder.file('token')], ''],
        [['-'], `${token}\n`],
      ] as const) {
        const { exitCode, stdout, stderr } = await runHere([...base, ...args], stdin)
        expect({ name, exitCode, stderr }).toEqual({ name, exitCode: 0, stderr: '' })
        expect(JSON.parse(stdout)).toEqual(claims)
      }
    }
  })

  test('4 with the code on standard error, and nothing on standard output', async () => {
    await using folder = await keyFolder()
    const token = await sign()
    for (const [args, stdin, code] of [
      [[], `${token.slice(0, -8)}AAAAAAAA`, 'ERR_PAYLOAD_SIGNATURE'],
      [
        ['--issuer', 'x'],
        await signPayload(claims, signingKey('rsa'), { audience, issuer: 'y' }),
        'ERR_PAYLOAD_KEY',
      ],
      [['--key', folder.file('expired.pem'), '--kid', 'p256'], await sign('p256'), 'ERR_PAYLOAD_ALGORITHM'],
    ] as const) {
      const base = ['verify', '--key', folder.file('public.pem'), '--kid', 'rsa', '--audience', audience]
      const { exitCode, stdout, stderr } = await runHere([...base, ...args], stdin)
      expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
      expect(stderr).toMatch(new RegExp(`^service-payload: .*\\[${code}\\]\n${docsUrlOf(code)}\n$`))
      for (const word of [...kept, stdin.slice(0, 200)]) expect(stderr).not.toContain(word)
    }
  })

  test('--json adds details of the token or of the refusal', async () => {
    await using folder = await keyFolder()
    const base = ['verify', '--json', '--key', folder.file('public.pem'), '--kid', 'rsa', '--audience']
    const token = await sign()
    expect(JSON.parse((await runHere([...base, audience], token)).stdout)).toMatchObject({
      payload: claims,
      algorithm: 'RS256',
      keyId: 'rsa',
    })
    const refused = await runHere([...base, 'https://other.example'], token)
    expect(JSON.parse(refused.stdout)).toEqual({
      refusal: { code: 'ERR_PAYLOAD_AUDIENCE', docs: docsUrlOf('ERR_PAYLOAD_AUDIENCE') },
    })
    expect(refused.exitCode).toBe(4)
  })

  test('2 for a key that cannot be registered', async () => {
    await using folder = await keyFolder()
    for (const [name, sentence] of [
      ['private.pem', /it holds a private key, which stays with the partner/],
      ['weak.pem', /1024 bits/],
      ['other.json', /neither a JSON Web Key nor a registration/],
      ['jwks.json', /Give a key set by its address/],
      ['kind.json', /keys\.0\.kind must be x509, spki, .* secret\./s],
      ['policy.json', /policy must be one of strict, lenient/],
      ['none', /does not exist/],
    ] as const) {
      const { exitCode, stdout, stderr } = await runHere(
        ['verify', '--key', folder.file(name), '--audience', audience],
        await sign(),
      )
      expect({ name, exitCode, stdout }).toEqual({ name, exitCode: 2, stdout: '' })
      expect(stderr).toMatch(sentence)
    }
  })

  test('3 when the key set cannot be reached', async () => {
    // Nothing listens on port 1 of this machine.
    const args = ['verify', '--key', 'http://127.0.0.1:1/jwks.json', '--audience', audience]
    const token = await signPayload(claims, signingKey('rsa'), { audience, issuer })
    const { exitCode, stdout, stderr } = await runHere(args, token)
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toContain('[ERR_UNAVAILABLE]')
  })
})

describe('explain', () => {
  test('prints every check for people, and no value of a claim', async () => {
    await using folder = await keyFolder()
    const late = await signPayload(claims, signingKey('rsa'), {
      audience: `${audience}/`,
      clock: () => new Date(Date.now() - 14 * 60_000),
    })
    const args = ['explain', '--key', folder.file('public.pem'), '--kid', 'rsa', '--audience', audience]
    const { exitCode, stdout, stderr } = await runHere(args, late)
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' })
    for (const words of [
      '✓ signature',
      '✗ times',
      'exp was 13 minutes ago',
      'Sign when the user clicks',
      '✗ audience',
      'a slash too many',
      '- replay',
      'The service refuses this token with ERR_PAYLOAD_EXPIRED, at the check times. Then there is 1 more.',
    ])
      expect(stderr.replace(/\n\s+/g, ' ')).toContain(words)
    for (const word of kept) expect(stderr).not.toContain(word)
    // No color without a terminal.
    expect(stderr).not.toContain('\u001b')
  })

  test('--json and --show-claims: data on standard output', async () => {
    await using folder = await keyFolder()
    const base = ['explain', '--key', folder.file('public.pem'), '--kid', 'rsa', '--audience', audience]
    const token = await sign()
    const checks = await runHere([...base, '--json'], token)
    expect(JSON.parse(checks.stdout)).toContainEqual(
      expect.objectContaining({ check: 'times', outcome: 'passed' }),
    )
    for (const word of kept) expect(checks.stdout).not.toContain(word)
    expect(JSON.parse((await runHere([...base, '--show-claims'], token)).stdout)).toMatchObject(claims)
    const both = await runHere([...base, '--show-claims', '--json'], `"${token}"`)
    expect(JSON.parse(both.stdout)).toMatchObject({ checks: expect.anything(), claims })
    expect(both.exitCode).toBe(4)
  })
})

test('a claim that is nearly one of the specification is warned of by sign and by explain, and travels', async () => {
  await using folder = await keyFolder()
  const near = {
    ...claims,
    organisationName: 'Clinic',
    contact: { ...claims.contact, dateOfBirth: '1980-04-03' },
  }
  const signed = await runHere(
    ['sign', '--key', folder.file('private.pem'), '--kid', 'rsa', '--audience', audience],
    JSON.stringify(near),
  )
  expect(signed).toMatchObject({
    exitCode: 0,
    stderr: `The service reads no claim organisationName. Did you mean organizationName?
The service reads no claim contact.dateOfBirth. Did you mean contact.birthdate?
`,
  })
  const looking = ['--key', folder.file('public.pem'), '--kid', 'rsa', '--audience', audience]
  const { exitCode, stderr } = await runHere(['explain', ...looking], signed.stdout)
  expect(exitCode).toBe(0)
  expect(stderr.replace(/\n\s+/g, ' ')).toContain(
    '! claims     All required claims are there, and each has an acceptable form. → Write organizationName instead of organisationName: the spelling counts. Write contact.birthdate instead of contact.dateOfBirth: the spelling counts.',
  )
  const verified = await runHere(['verify', ...looking], signed.stdout)
  expect(JSON.parse(verified.stdout)).toEqual(near)
})

describe('the process', () => {
  test('a closed reader of its output is no failure', async () => {
    await using folder = await keyFolder()
    const big = await signPayload({ ...claims, extra: { filler: 'x'.repeat(40_000) } }, signingKey('rsa'), {
      audience,
    })
    const args = ['verify', '--key', folder.file('public.pem'), '--kid', 'rsa', '--audience', audience]
    const child = startCli(args)
    child.stdout.destroy()
    child.stdin.end(big)
    expect(await finishWithoutOutput(child)).toEqual({ exitCode: 0, stderr: '' })
  })

  test('Ctrl+C while it waits for its input: 130', async () => {
    await using folder = await keyFolder()
    const controller = new AbortController()
    const terminal = memoryTerminal({
      stdin: new PassThrough(),
      interruption: () => controller.signal,
      isTypedIn: true,
    })
    const args = ['sign', '--key', folder.file('private.pem'), '--audience', audience]
    const exitCode = runServicePayload(args, terminal)
    controller.abort(new InterruptedError())
    expect(await exitCode).toBe(130)
    expect(terminal.printed()).toBe('')
  })

  test('an endless input is not read to its end', async () => {
    await using folder = await keyFolder()
    const child = startCli(['verify', '--key', folder.file('public.pem'), '--audience', audience])
    const finished = finish(child)
    const chunk = 'x'.repeat(65_536)
    const pump = () => {
      while (child.stdin.writable && child.stdin.write(chunk));
    }
    child.stdin.on('drain', pump)
    pump()
    const { exitCode, stderr } = await finished
    child.stdin.destroy()
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Standard input is larger than 131072 bytes.')
  })
})

async function finishWithoutOutput(child: ReturnType<typeof spawn>) {
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [exitCode]: unknown[] = await once(child, 'close')
  return { exitCode, stderr }
}

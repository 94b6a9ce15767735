import { writeFile } from 'node:fs/promises'
import { registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import { audience, claims, runHere, temporaryFolder } from '@service-link/test-kit/service-payload'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { importSigningKey, signPayload } from '../../src/index.ts'

const issuer = 'https://journal.example'

/** Registers p256 and rsa and returns the verdicts of `verify` and `explain` on a token. */
async function bothVerdicts(
  registration: object,
  token: string,
  args: readonly string[] = [],
): Promise<readonly string[]> {
  await using folder = await temporaryFolder()
  const keys = [registeredKey('p256'), registeredKey('secret')]
  await writeFile(folder.file('x.json'), JSON.stringify([{ id: 'x', name: 'X', keys, ...registration }]))
  const base = ['--key', folder.file('x.json'), '--audience', audience, ...args]
  const verified = await runHere(['verify', ...base], token)
  const explained = await runHere(['explain', ...base], token)
  expect(explained.exitCode).toBe(verified.exitCode)
  const codeOf = (text: string) =>
    /ERR_\w+(?=\]|, at the check)/.exec(text.replace(/\s+/g, ' '))?.[0] ?? 'accepted'
  return [codeOf(verified.stderr), codeOf(explained.stderr)]
}

test.each([
  ['the registered issuer', { issuer }, { issuer }, [], 'accepted'],
  ['another issuer', { issuer }, { issuer: 'x' }, [], 'ERR_PAYLOAD_KEY'],
  ['an issuer that an option replaces', { issuer }, { issuer: 'x' }, ['--issuer', 'x'], 'accepted'],
  ['another kid, and the registered issuer', { issuer }, { issuer, keyId: 'y' }, [], 'accepted'],
  ['another kid, and no issuer', { issuer }, { keyId: 'y' }, [], 'ERR_PAYLOAD_KEY'],
  ['another kid, and an issuer where none is registered', {}, { issuer, keyId: 'y' }, [], 'ERR_PAYLOAD_KEY'],
  ['a registration that is not active', { isActive: false }, {}, [], 'ERR_PARTNER_INACTIVE'],
] as const)(
  '%s: verify and explain follow the registration',
  async (_name, registration, options, args, code) => {
    const token = await signPayload(claims, signingKey('p256'), { audience, ...options })
    expect(await bothVerdicts(registration, token, args)).toEqual([code, code])
  },
)

test.each([
  ['strict by default', {}, [], 'ERR_PAYLOAD_TIMES'],
  ['lenient', { policy: 'lenient' }, [], 'accepted'],
  ['lenient, and an option says strict', { policy: 'lenient' }, ['--policy', 'strict'], 'ERR_PAYLOAD_TIMES'],
  ['strict, and an option says lenient', {}, ['--policy', 'lenient'], 'accepted'],
] as const)('policy %s', async (_name, registration, args, code) => {
  const { material } = await importSigningKey(signingKey('p256'))
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'p256' }).sign(material)
  expect(await bothVerdicts(registration, token, args)).toEqual([code, code])
})

test('a repeatable registration: explain says that the sample token is taken each time', async () => {
  await using folder = await temporaryFolder()
  const registration = { policy: 'lenient', repeatable: true, keys: [registeredKey('p256')] }
  await writeFile(folder.file('x.json'), JSON.stringify(registration))
  const { material } = await importSigningKey(signingKey('p256'))
  const explained = async (more: object) => {
    const signer = new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'ES256', kid: 'p256' })
    const args = ['explain', '--key', folder.file('x.json'), '--audience', audience]
    const token = await signer.sign(material)
    return (await runHere('iat' in more ? [...args, '--at', 'iat'] : args, token)).stderr.replace(/\s+/g, ' ')
  }
  expect(await explained({})).toContain('it is taken each time, for ever, from anybody who has it')
  const once = await explained({ iat: '1780315200' })
  expect(once).toContain('Checked as of 2026-06-01T12:00:00Z')
  expect(once).toContain('each works once')
})

test('two registrations: 2, because a token belongs to one partner', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('x.json'), JSON.stringify({ keys: [registeredKey('p256')] }))
  const key = `--key ${folder.file('x.json')}`
  const base = `verify ${key} ${key} --audience ${audience}`
  expect(await runHere(base, 'x')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/Give one registration/),
  })
})

test('--at: a saved token is checked as of that time, and the output says so', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('x.json'), JSON.stringify({ keys: [registeredKey('p256')] }))
  const token = await signPayload(claims, signingKey('p256'), {
    audience: `${audience}/`,
    clock: () => new Date('2026-06-01T12:00:00Z'),
  })
  const run = (...args: string[]) =>
    runHere(['explain', '--key', folder.file('x.json'), '--audience', audience, ...args], token)
  const today = await run()
  expect(today.stderr).toMatch(/refuses this token with ERR_PAYLOAD_EXPIRED/)
  expect(today.stderr).toMatch(/with\s+--at\s+iat/)
  for (const [at, note] of [
    ['iat', 'Checked as of 2026-06-01T12:00:00Z, the token’s iat, not as of now.'],
    ['2026-06-01T14:00:30+02:00', 'Checked as of 2026-06-01T12:00:30Z, not as of now.'],
  ] as const) {
    const { stderr } = await run('--at', at)
    expect(stderr).toContain(note)
    expect(stderr).toMatch(/refuses this token with ERR_PAYLOAD_AUDIENCE/)
    expect(stderr).not.toMatch(/--at/)
  }
  const unsaid = await runHere(
    ['explain', '--key', folder.file('x.json'), '--audience', audience, '--at', 'iat'],
    'eyJhbGciOiJFUzI1NiJ9.e30.AAAA',
  )
  expect(unsaid).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/no iat in seconds/) })
})

import { registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import fc from 'fast-check'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { PayloadMalformedError, PayloadShapeError, PayloadTooLargeError } from '../errors/refusals.ts'
import { signPayload } from '../index.ts'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import { importSigningKey } from '../keys/signing-key.ts'
import { verifyPayload } from '../verify/verify-payload.ts'

const audience = 'https://sso.example/partner/payload'
const clock = () => new Date('2026-06-01T12:00:00.900Z')
const payload = { organizationId: 'o', employeeId: 'e', contact: { id: 'c' } }

describe('signPayload', () => {
  test.each(['rsa', 'certificate', 'p256', 'p384', 'p521', 'ed25519', 'secret'])(
    '[5.1-signed] the registered part of the key %s verifies its signature',
    async name => {
      const token = await signPayload(payload, signingKey(name), { audience, clock })
      const keys = await importVerificationKey(registeredKey(name), { clock })
      const verified = await verifyPayload(token, { keys, audience, clock })
      expect(verified.payload).toEqual(payload)
      expect(verified.keyId).toBe(name)
      expect(verified.times).toEqual({
        issuedAt: new Date('2026-06-01T12:00:00Z'),
        notBefore: undefined,
        expiresAt: new Date('2026-06-01T12:01:00Z'),
        endsAt: new Date('2026-06-01T12:01:00Z'),
      })
    },
  )

  test('sets iat, exp, aud, jti, iss and the header, with a new jti each time', async () => {
    const key = await importSigningKey(signingKey('p256'))
    const options = { audience, clock, issuer: 'https://partner.example', expiresInSeconds: 300, keyId: 'k2' }
    const [one, two] = [await signPayload(payload, key, options), await signPayload(payload, key, options)]
    expect(decodeProtectedHeader(one)).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'k2' })
    const { jti, ...claims } = decodeJwt(one)
    const iat = Date.parse('2026-06-01T12:00:00Z') / 1000
    expect(claims).toEqual({ ...payload, iss: options.issuer, aud: audience, iat, exp: iat + 300 })
    expect(jti).toMatch(/^[\da-f-]{36}$/)
    expect(decodeJwt(two).jti).not.toBe(jti)
  })

  test('[2.1-claims] claims that the receiver would refuse fail before signing, by path', async () => {
    const error = await signPayload(
      { organizationId: '', employeeId: 'e', contact: { id: 'c', birthdate: '1.1.1980' }, extra: { exp: 1 } },
      signingKey('secret'),
      { audience },
    ).catch((failure: unknown) => failure)
    expect(error instanceof PayloadShapeError && error.issues.map(({ path }) => path)).toEqual([
      'exp',
      'organizationId',
      'contact.birthdate',
    ])
  })

  test('[2.1-claims] claims are signed up to the receiver’s depth, deeper ones are refused', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'x' : { deeper: nested(depth - 1) })
    const sign = (depth: number) =>
      signPayload({ ...payload, extra: { own: nested(depth) } }, signingKey('secret'), { audience })
    const keys = await importVerificationKey(registeredKey('secret'))
    await expect(verifyPayload(await sign(16), { keys, audience })).resolves.toBeDefined()
    for (const depth of [17, 30]) await expect(sign(depth)).rejects.toBeInstanceOf(PayloadMalformedError)
  })

  test('claims with more members and list elements than the receiver’s limit are refused', async () => {
    const sign = (count: number) =>
      signPayload({ ...payload, extra: { own: Array(count).fill(0) } }, signingKey('secret'), { audience })
    await expect(sign(4000)).resolves.toBeDefined()
    await expect(sign(4097)).rejects.toBeInstanceOf(PayloadMalformedError)
  })

  test('[2.1-claims] a tokenId is signed if the receiver accepts it, and refused otherwise', async () => {
    const sign = (tokenId: string) => signPayload(payload, signingKey('secret'), { audience, tokenId })
    const keys = await importVerificationKey(registeredKey('secret'))
    const longest = 'a'.repeat(256)
    expect((await verifyPayload(await sign(longest), { keys, audience })).tokenId).toBe(longest)
    for (const [wrong, problem] of [
      ['', 'must be text of 1 to 256 characters'],
      ['a'.repeat(257), 'is longer than 256 characters'],
    ] as const) {
      const error = await sign(wrong).catch((failure: unknown) => failure)
      expect(error instanceof PayloadShapeError && error.issues).toEqual([{ path: 'jti', problem }])
    }
  })

  const absolute = 'must be an absolute http or https URL'
  test.each<[string, string, object]>([
    ['audience', absolute, { audience: '' }],
    ['audience', absolute, { audience: '/partner/payload' }],
    [
      'audience',
      `${absolute}. It has white space or quotation marks around it`,
      { audience: `"${audience}"\n` },
    ],
    ['audience', 'has undefined as its host: look at', { audience: 'https://undefined/partner/payload' }],
    ['audience', 'must have no query and no fragment', { audience: `${audience}#top` }],
    // Input without type checks.
    ['audience', 'is missing', { audience: undefined }],
    ['audience', 'must be one address: a token is for one receiver', { audience: [audience, audience] }],
    ['issuer', 'must be text of 1 character or more, without white space around it', { issuer: '' }],
    ['keyId', 'must be text of 1 character or more, without white space around it', { keyId: ' k' }],
  ])(
    '[2.1-claims] the option %s %s, else the receiver finds nothing by it: %j',
    async (option, problem, options) => {
      const signing = signPayload(payload, signingKey('secret'), Object.assign({ audience }, options))
      await expect(signing).rejects.toThrow(`The parameter options.${option} ${problem}`)
    },
  )

  test.each<[string, string, object]>([
    ['a.1', 'is of the type undefined', { extra: { a: [1, undefined] } }],
    ['a.b', 'is of the type function', { extra: { a: { b: () => 1 } } }],
    ['a', 'is no finite number', { extra: { a: Number.NaN } }],
    ['a', 'is of the type bigint', { extra: { a: 1n } }],
    ['contact.a', 'is of the class Map', { contact: { id: 'c', extra: { a: new Map() } } }],
    ['a', 'is of the class Promise', { extra: { a: Promise.resolve(1) } }],
    ['a', 'is an invalid Date', { extra: { a: new Date('x') } }],
    ['…', 'is of the type symbol', { extra: { '01018012345 Nordmann': Symbol('x') } }],
    ['contact.id', 'is the text of a missing value', { contact: { id: 'undefined' } }],
    ['employeeId', 'is the text of a missing value', { employeeId: '[object Promise]' }],
    ['organizationId', 'is the text of a missing value', { organizationId: '{{clinic.id}}' }],
    ['contact', 'must be absent beside end', { end: 'context' }],
    ['end', 'must be context or session', { end: null, contact: undefined }],
  ])(
    'what would be lost or made up on the way is refused by its path: %s %s',
    async (path, problem, given) => {
      await expect(
        signPayload({ ...payload, ...given }, signingKey('secret'), { audience }),
      ).rejects.toMatchObject({
        code: 'ERR_PAYLOAD_SHAPE',
        issues: [{ path, problem: expect.stringContaining(problem) }],
      })
    },
  )

  test('a Date becomes text, and an undefined member is left out', async () => {
    const extra = { at: new Date(0), none: undefined, list: [null] }
    const token = await signPayload({ ...payload, extra }, signingKey('secret'), { audience })
    expect(decodeJwt(token)).toMatchObject({ at: '1970-01-01T00:00:00.000Z', list: [null] })
  })

  test('a token that the receiver would refuse is not signed', async () => {
    const bulk = Object.fromEntries(
      Array.from({ length: 20 }, (_value, index) => [`x${index}`, 'a'.repeat(4000)]),
    )
    await expect(
      signPayload({ ...payload, extra: bulk }, signingKey('secret'), { audience }),
    ).rejects.toBeInstanceOf(PayloadTooLargeError)
  })

  test('[2.1-contact] any claims survive the round trip: any script, unknown members, names like __proto__', async () => {
    const key = await importSigningKey(signingKey('secret'))
    const keys = await importVerificationKey(registeredKey('secret'))
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      // Ids lose invisible characters at their ends.
      .filter(value =>
        /^[^\s\p{Cf}\p{Default_Ignorable_Code_Point}](?:.*[^\s\p{Cf}\p{Default_Ignorable_Code_Point}])?$/su.test(
          value,
        ),
      )
    const unknown = fc.dictionary(
      fc.string({ maxLength: 12 }).map(name => `x-${name}`),
      fc.jsonValue({ maxDepth: 3 }),
    )
    await fc.assert(
      fc.asyncProperty(text, text, text, unknown, async (organizationId, employeeId, id, others) => {
        const extra = Object.keys(others).length > 0 && { extra: others }
        const sent = { ...extra, organizationId, employeeId, contact: { ...extra, id } }
        const token = await signPayload(sent, key, { audience })
        const { payload: received } = await verifyPayload(token, { keys, audience })
        expect(received).toEqual(JSON.parse(JSON.stringify(sent)))
      }),
      { numRuns: 100 },
    )
  })
})

class Patient {
  get firstname() {
    return 'Ada'
  }
}

describe('a claim that the specification does not name', () => {
  const sign = (given: object) => signPayload(Object(given), signingKey('secret'), { audience })
  const contact = (member: object) => ({ ...payload, contact: { id: 'c', ...member } })

  test.each<[object, string]>([
    [
      { ...payload, organisationId: 'o' },
      'payload.organisationId is not known. Did you mean organizationId?',
    ],
    [contact({ firstName: 'Ada' }), 'payload.contact.firstName is not known. Did you mean firstname?'],
    [
      contact({ extra: { firstname: 'Ada' } }),
      'payload.contact.extra.firstname must be given as payload.contact.firstname.',
    ],
    [
      { ...payload, extra: { employeeId: 'e' } },
      'payload.extra.employeeId must be given as payload.employeeId.',
    ],
    [
      { ...payload, contact: Object.assign(new Patient(), { id: 'c' }) },
      'payload.contact.firstname is of the class, and would not be sent. Give a plain object.',
    ],
    [{ ...payload, extra: [] }, 'payload.extra must be an object.'],
    [{ ...payload, contact: 'c' }, 'payload.contact must be an object.'],
  ])('is refused with the name that was meant: %j', async (given, sentence) => {
    await expect(sign(given)).rejects.toThrow(
      new RegExp(`^The parameter ${sentence.replaceAll('.', '\\.')}`.replaceAll('?', '\\?')),
    )
    await expect(sign(given)).rejects.toMatchObject({ code: 'ERR_PARAMETER' })
  })

  test.each(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'])('%s is not taken from extra', async name => {
    await expect(sign({ ...payload, extra: { [name]: 'x' } })).rejects.toMatchObject({
      code: 'ERR_PAYLOAD_SHAPE',
      issues: [{ path: name, problem: 'is a claim of the JWT itself; use the options of signPayload' }],
    })
  })

  test('travels beside the others from extra, and comes back there', async () => {
    const given = { ...payload, extra: { department: 'B' }, contact: { id: 'c', extra: { ward: 7 } } }
    const token = await sign(given)
    expect(decodeJwt(token)).toMatchObject({ ...payload, department: 'B', contact: { id: 'c', ward: 7 } })
    const keys = await importVerificationKey(registeredKey('secret'))
    expect((await verifyPayload(token, { keys, audience })).payload).toEqual(given)
  })

  test('is warned of in extra if its name is nearly that of the specification, but not in production', async () => {
    const warned: unknown[] = []
    const listen = (warning: Error) => warned.push(`${warning.name}: ${warning.message}`)
    process.on('warning', listen)
    try {
      await sign({ ...payload, extra: { organisationName: 'Clinic', ward: 7 } })
      vi.stubEnv('NODE_ENV', 'production')
      await sign({ ...payload, extra: { employeeMail: 'a@example.org' } })
      await new Promise(setImmediate)
    } finally {
      vi.unstubAllEnvs()
      process.off('warning', listen)
    }
    expect(warned).toEqual([
      'PayloadWarning: The service reads no claim organisationName. Did you mean organizationName, beside extra?',
    ])
  })
})

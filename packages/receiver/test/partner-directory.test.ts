import { keyText } from '@service-link/test-kit/payload-vectors'
import { describe, expect, test } from 'vitest'
import {
  createPartnerDirectory,
  importPartner,
  type PartnerHint,
  type PartnerRegistration,
  readRegistrations,
} from '../src/index.ts'

const hint: PartnerHint = { keyId: undefined, certificateDigest: undefined, issuer: undefined }

const keyNames: Readonly<Record<string, string>> = { a: 'rsa', b: 'otherRsa' }

function registration(id: string): PartnerRegistration {
  const pem = keyText(keyNames[id] ?? '', 'pem')
  return {
    id,
    name: id,
    issuer: `https://${id}.example`,
    keys: [{ kind: 'spki', pem, kid: `key of ${id}` }],
  }
}

const [a, b] = [registration('a'), registration('b')]
const keyId = 'key of a'

describe('a directory of partners', () => {
  test('finds a partner by its key, else by its issuer', async () => {
    const directory = await createPartnerDirectory([a, b])
    const found = async (names: Partial<PartnerHint>) => (await directory.find({ ...hint, ...names }))?.id
    expect(await found({ keyId })).toBe('a')
    expect((await directory.find({ ...hint, keyId }))?.policy).toBe('strict')
    expect(await found({ issuer: 'https://b.example' })).toBe('b')
    expect(await found({ keyId, issuer: 'https://b.example' })).toBe('a')
    expect(await found({ keyId: 'none' })).toBeUndefined()
    expect(await found({})).toBeUndefined()
  })

  test('finds a lenient partner by its certificate’s thumbprint in either case; base64url counts exactly', async () => {
    const certificate = { kind: 'x509', pem: keyText('certificate', 'pem') } as const
    const thumbprints = async (policy: 'strict' | 'lenient') => {
      const directory = await createPartnerDirectory([b, { ...a, policy, keys: [certificate] }])
      const names = (await directory.get('a'))?.keys[0]?.certificateDigests ?? []
      expect(names).toHaveLength(4)
      const found = async (name: string) => (await directory.find({ ...hint, keyId: name }))?.id
      return Promise.all(names.flatMap(name => [found(name), found(name.toLowerCase())]))
    }
    const [hex, base64url] = [
      ['a', 'a'],
      ['a', undefined],
    ]
    expect(await thumbprints('lenient')).toEqual([hex, hex, base64url, base64url].flat())
    expect(await thumbprints('strict')).toEqual([base64url, base64url, base64url, base64url].flat())
  })

  test('a registered kid goes before a thumbprint in another case', async () => {
    const pem = keyText('certificate', 'pem')
    const certificate = { kind: 'x509', pem } as const
    const [key] = (await importPartner({ ...a, keys: [certificate] })).keys
    const kid = key?.certificate?.thumbprint.toLowerCase() ?? ''
    const named = { ...b, keys: [{ kind: 'spki', pem: keyText('otherRsa', 'pem'), kid } as const] }
    const directory = await createPartnerDirectory([{ ...a, policy: 'lenient', keys: [certificate] }, named])
    expect((await directory.find({ ...hint, keyId: kid }))?.id).toBe('b')
    expect((await directory.find({ ...hint, keyId: kid.toUpperCase() }))?.id).toBe('a')
  })

  test('gets a partner by its id, active or not', async () => {
    const directory = await createPartnerDirectory([a, { ...b, isActive: false }])
    expect((await directory.get('a'))?.isActive).toBe(true)
    expect((await directory.get('b'))?.isActive).toBe(false)
    expect(await directory.get('c')).toBeUndefined()
  })

  test('finds the only partner for a token that names none', async () => {
    const directory = await createPartnerDirectory([a])
    expect((await directory.find(hint))?.id).toBe('a')
    for (const names of [{ keyId: 'x' }, { certificateDigest: 'x' }, { issuer: 'x' }])
      expect(await directory.find({ ...hint, ...names })).toBeUndefined()
  })

  test.each([
    [{ id: 'a' }, 'Two partners have the same id: a. Give'],
    [{ issuer: 'https://a.example' }, 'Two partners have the same issuer: a and b. Give'],
  ])('refuses two partners with %o', async (same, sentence) => {
    await expect(createPartnerDirectory([a, { ...b, ...same }])).rejects.toThrow(sentence)
  })

  test('needs a name for each of several partners', async () => {
    const { issuer: _issuer, ...nameless } = a
    const keys = [{ kind: 'secret', secret: 'A'.repeat(43) } as const]
    await expect(createPartnerDirectory([{ ...nameless, keys }])).resolves.toBeDefined()
    await expect(createPartnerDirectory([{ ...nameless, keys }, b])).rejects.toThrow(
      'No token can name the partner a. Register an issuer, or a key with a kid.',
    )
  })

  test.each([
    ['a list below a member', { partners: [] }, 'must be a list of registrations'],
    ['a map by id', { journal: {} }, 'must be a list of registrations'],
    ['bytes', new TextEncoder().encode('[]'), 'JSON.parse'],
  ])('of %s is refused with what to give', (_what, content, words) => {
    expect(() => readRegistrations(content)).toThrow(words)
  })

  test('takes one registration, and one key, without a list', async () => {
    const one = { ...a, keys: a.keys[0] }
    const given = JSON.parse(JSON.stringify(one))
    expect((await (await createPartnerDirectory(given)).get('a'))?.keys[0]?.keyId).toBe(keyId)
    expect((await importPartner([given])).id).toBe('a')
    await expect(createPartnerDirectory(JSON.stringify(one) as never)).rejects.toThrow(
      'is text: give what JSON.parse',
    )
  })

  test('needs an issuer each for keys of one name', async () => {
    const { issuer: _a, ...nameless } = a
    const { issuer: _b, ...otherNameless } = { ...b, keys: a.keys }
    const twin = { ...b, keys: a.keys }
    for (const registrations of [
      [a, otherNameless],
      [nameless, twin],
    ])
      await expect(createPartnerDirectory(registrations)).rejects.toThrow(/partners a and b .* same name/)
    const directory = await createPartnerDirectory([a, twin])
    expect((await directory.find({ ...hint, keyId, issuer: 'https://b.example' }))?.id).toBe('b')
    expect(await directory.find({ ...hint, keyId })).toBeUndefined()
  })
})

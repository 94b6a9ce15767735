import { X509Certificate } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import {
  audience,
  claims,
  runHere,
  runProcess,
  temporaryFolder,
} from '@service-link/test-kit/service-payload'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { quoteArgument, writeNewFiles } from '../../src/cli/files.ts'

import {
  explainPayload,
  importSigningKey,
  importVerificationKey,
  signPayload,
  verifyPayload,
} from '../../src/index.ts'
import { keyPairAlgorithms } from '../../src/keys/algorithms.ts'
import {
  type PartnerRegistration,
  partnerRegistrationSchema,
} from '../../src/registration/partner-registration.ts'

const registrationsSchema = z.tuple([partnerRegistrationSchema])

/** A registration with its keys imported, as a service does. */
async function importPartner(registration: PartnerRegistration) {
  const keys = registration.keys.map(key => importVerificationKey(key))
  return { ...registration, keys: await Promise.all(keys) }
}

async function readRegistration(path: string) {
  return registrationsSchema.parse(JSON.parse(await readFile(path, 'utf8')))[0]
}

describe('keygen', () => {
  test.each(keyPairAlgorithms)(
    '%s: the service accepts the registration and what the private key signs',
    async algorithm => {
      await using folder = await temporaryFolder()
      const words = ['--id', 'journal', '--issuer', 'https://journal.example', '--algorithm', algorithm]
      const args = ['keygen', '--name', 'Journal, "AS" Ålesund', '--out', folder.path, ...words]
      const { exitCode, stdout, stderr } = await runHere(args)
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
      const registration = await readRegistration(folder.file('registration.json'))
      const partner = await importPartner(registration)
      expect(partner).toMatchObject({
        id: 'journal',
        name: 'Journal, "AS" Ålesund',
        issuer: 'https://journal.example',
        keys: [{ algorithms: [algorithm] }],
      })
      const pem = await readFile(folder.file('private.pem'), 'utf8')
      const key = await importSigningKey({ kind: 'pkcs8', pem, algorithm })
      expect(key.keyId).toBe(partner.keys[0]?.keyId)
      const token = await signPayload(claims, key, { audience })
      const verified = await verifyPayload(token, { keys: partner.keys, audience })
      expect(verified.algorithm).toBe(algorithm)
      for (const word of [
        verified.keyId ?? '-',
        'mail',
        'never leaves',
        'that the certificate came unchanged',
      ])
        expect(stderr).toContain(word)
      expect(stderr).not.toContain('BEGIN')
    },
  )

  test('the certificate states name, days and purpose, and signs itself', async () => {
    await using folder = await temporaryFolder()
    const startedAt = Date.now()
    const name = 'A, B = "C" #1 + ø'
    const { stderr } = await runHere(['keygen', '--name', name, '--days', '10', '--out', folder.path])
    const pem = await readFile(folder.file('certificate.pem'), 'utf8')
    const certificate = new X509Certificate(pem)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.toLegacyObject().subject).toEqual(expect.objectContaining({ CN: name }))
    const days = (Date.parse(certificate.validTo) - startedAt) / 86_400_000
    expect(days).toBeGreaterThan(9.99)
    expect(days).toBeLessThan(10.1)
    expect(Date.parse(certificate.validFrom)).toBeLessThan(startedAt)
    expect(stderr).toContain(certificate.fingerprint256)
    expect(BigInt(`0x${certificate.serialNumber}`)).toBeGreaterThan(2n ** 100n)
  })

  test.runIf(process.platform !== 'win32')('only its owner can read the private key', async () => {
    await using folder = await temporaryFolder()
    await runHere(['keygen', '--name', 'x', '--out', folder.file('new/folder')])
    const modeOf = async (name: string) => (await stat(folder.file(`new/folder/${name}`))).mode & 0o777
    expect(await modeOf('private.pem')).toBe(0o600)
    expect((await modeOf('certificate.pem')) & 0o400).toBe(0o400)
    await runHere(['keygen', '--name', 'y', '--secret', '--out', folder.file('new/folder/secret')])
    expect(await modeOf('secret/secret.txt')).toBe(0o600)
    expect(await modeOf('secret/registration.json')).toBe(0o600)
  })

  test('--secret: no part of the shared secret is printed', async () => {
    await using folder = await temporaryFolder()
    const { exitCode, stdout, stderr } = await runHere(`keygen --name x --secret --out ${folder.path}`)
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    const secret = (await readFile(folder.file('secret.txt'), 'utf8')).trim()
    expect(Buffer.from(secret, 'base64url').length).toBeGreaterThanOrEqual(32)
    expect(stderr).not.toContain(secret)
    const partner = await importPartner(await readRegistration(folder.file('registration.json')))
    const kid = partner.keys[0]?.keyId
    expect(stderr).toContain(`--kid ${kid}`)
    const signed = await runHere(
      ['sign', '--key', folder.file('secret.txt'), '--kid', kid ?? '', '--audience', audience],
      JSON.stringify(claims),
    )
    const { keyId } = await verifyPayload(signed.stdout.trim(), { keys: partner.keys, audience })
    expect(keyId).toBe(kid)
  })

  test.each([
    ['keys/private.pem', 'linux', 'keys/private.pem'],
    ['my keys/private.pem', 'linux', "'my keys/private.pem'"],
    ["it's $HOME/x", 'linux', "'it'\\''s $HOME/x'"],
    ['C:\\my keys\\x', 'win32', '"C:\\my keys\\x"'],
    ['C:\\keys\\x', 'win32', 'C:\\keys\\x'],
  ])('the path %s is one argument of the line to paste (%s)', (path, platform, argument) => {
    expect(quoteArgument(path, platform)).toBe(argument)
  })

  test('--json: names and files for programs; the identifier comes from the name', async () => {
    await using folder = await temporaryFolder()
    const { stdout } = await runHere(['keygen', '--name', 'Ærø & Åse AS', '--out', folder.path, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      algorithm: 'RS256',
      keyId: expect.stringMatching(/^[\w-]{43}$/),
      certificate: { thumbprint: expect.stringMatching(/^[\dA-F]{64}$/) },
      privateFile: folder.file('private.pem'),
      publicFiles: [folder.file('certificate.pem'), folder.file('registration.json')],
    })
    expect(await readRegistration(folder.file('registration.json'))).toMatchObject({ id: 'aero-ase-as' })
  })

  test('2 where the folder is a file', async () => {
    await using folder = await temporaryFolder()
    await writeFile(folder.file('taken'), '')
    const { exitCode, stderr } = await runHere(['keygen', '--name', 'x', '--out', folder.file('taken')])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/The folder .*taken cannot be made: .*\[ERR_FILE\]/)
  })

  test.each([
    [['--name', ''], '--name needs'],
    [['--name', 'x'.repeat(65)], '--name needs'],
    [['--name', 'line\nbreak'], '--name needs'],
    [['--name', '診療所'], 'Give --id'],
    [['--name', 'x', '--id', '../x'], '--id needs'],
    [['--name', 'x', '--id', '..'], '--id needs'],
    [['--name', 'x', '--secret', '--days', '3'], "'--secret' cannot be used with option '--days"],
  ])('2 for %j', async (args, sentence) => {
    await using folder = await temporaryFolder()
    const { exitCode, stderr } = await runHere(['keygen', '--out', folder.path, ...args])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(sentence)
    expect(await readdir(folder.path)).toEqual([])
  })
})

test('writes all files or none, and never over an existing one', async () => {
  await using folder = await temporaryFolder()
  await writeFile(folder.file('b'), 'kept')
  const files = ['a', 'b', 'c'].map(name => ({ name, content: 'new', isSecret: false }))
  await expect(writeNewFiles(folder.path, files)).rejects.toMatchObject({ code: 'ERR_FILE' })
  expect(await readdir(folder.path)).toEqual(['b'])
  // Of two concurrent runs, one makes the file.
  const both = [files.slice(2), files.slice(2)].map(one => writeNewFiles(folder.path, one))
  const outcomes = await Promise.allSettled(both)
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await readdir(folder.path)).sort()).toEqual(['b', 'c'])
})

test('keygen, sign, explain and verify work together', async () => {
  await using folder = await temporaryFolder()
  await runHere(['keygen', '--name', 'Journal', '--out', folder.path])
  const signed = await runProcess(
    ['sign', '--key', folder.file('private.pem'), '--audience', audience, '--expires-in', '300'],
    `\uFEFF${JSON.stringify(claims)}`,
  )
  expect(signed).toMatchObject({ exitCode: 0, stderr: '' })
  const looking = ['--key', folder.file('certificate.pem'), '--audience', audience]
  const explained = await runHere(['explain', ...looking], signed.stdout)
  expect(explained).toMatchObject({ exitCode: 0, stdout: '' })
  expect(explained.stderr).toContain('Nothing is wrong with this token')
  const verified = await runHere(['verify', ...looking], signed.stdout)
  expect(verified).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(verified.stdout)).toEqual(claims)
  const [partner] = [await importPartner(await readRegistration(folder.file('registration.json')))]
  const checks = await explainPayload(signed.stdout.trim(), { keys: partner.keys, audience })
  expect(checks.filter(({ outcome, change }) => outcome === 'failed' || change !== undefined)).toEqual([])
})

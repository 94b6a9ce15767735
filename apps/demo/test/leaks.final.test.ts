import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findLeaks, type Recorded, type Secret } from './_leaks.ts'

const folder = process.env.SERVICE_TEST_RECORD ?? ''

/** What the processes of this run have left. */
async function readRecord<Line>(file: 'texts' | 'secrets'): Promise<Line[]> {
  const names = (await readdir(folder)).filter(name => name.startsWith(file))
  const contents = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))
  return contents.flatMap(content => content.split('\n').filter(Boolean)).map(line => JSON.parse(line))
}

describe.skipIf(!existsSync(folder))('after all tests of a service', () => {
  test('no log line, error answer or audit row holds a token, an identity number, a name or another secret used in them', async () => {
    const [recorded, secrets] = [await readRecord<Recorded>('texts'), await readRecord<Secret>('secrets')]
    expect(new Set(recorded.map(({ kind }) => kind))).toEqual(new Set(['log', 'error answer', 'audit row']))
    expect(new Set(secrets.map(({ kind }) => kind))).toEqual(
      new Set(['token', 'name', 'ssn', 'e-mail', 'phone', 'handle', 'cookie', 'password', 'employee']),
    )
    expect(findLeaks(recorded, secrets)).toEqual([])
  })
})

describe('the search', () => {
  const token = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJuIn0xMjM0.c2lnbmF0dXJl'

  test.each<[string, string, Secret | undefined]>([
    ['a token that nobody registered', `{"msg":"${token}"}`, undefined],
    ['a handle', '{"url":"/open/aGFuZGxlLWhhbmRsZQ"}', { kind: 'handle', value: 'aGFuZGxlLWhhbmRsZQ' }],
    ['an identity number', 'ssn 12857948392 is wrong', { kind: 'ssn', value: '12857948392' }],
    ['a name', '{"error":"no Øvergård here"}', { kind: 'name', value: 'Øvergård' }],
    ['a name in a page', '<p>O&quot;Neill</p>', { kind: 'name', value: 'O"Neill' }],
    ['a text as JSON writes it', '{"a":"Ann\\"a"}', { kind: 'name', value: 'Ann"a' }],
  ])('finds %s', (_name, text, secret) => {
    expect(findLeaks([{ kind: 'log', text }], secret ? [secret] : [])).toHaveLength(1)
  })

  test.each<[string, string, Secret]>([
    ['a part of another word', 'selectOrCreatePerson', { kind: 'name', value: 'Person' }],
    ['what is too short to be a secret', '{"id":"c-1"}', { kind: 'handle', value: 'c-1' }],
  ])('does not take %s for one', (_name, text, secret) => {
    expect(findLeaks([{ kind: 'log', text }], [secret])).toEqual([])
  })
})

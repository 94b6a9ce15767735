import { existsSync } from 'node:fs'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingBrowser } from '@service-link/test-kit/browser'
import { findPostgres } from '@service-link/test-kit/postgres'
import { describe, expect, inject, test } from 'vitest'
import { listen } from '../src/http-server/listen.ts'
import { findLeaks, type Recorded, readPersons } from './support/leaks.ts'
import { keepLog } from './support/log.ts'
import { post, readBoot, sign } from './support/post.ts'
import type { RecordedPart } from './support/record.ts'
import type {} from './support/record-setup.ts'
import { query, startService } from './support/service.ts'

const folder = process.env.SERVICE_TEST_RECORD ?? ''

/** The records of a run's processes. */
async function readRecord<Line>(folder: string, file: 'texts' | 'parts'): Promise<Line[]> {
  if (!existsSync(folder)) return []
  const names = (await readdir(folder)).filter(name => name.startsWith(file))
  const contents = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))
  return contents.flatMap(content => content.split('\n').filter(Boolean)).map(line => JSON.parse(line))
}

const postgres = findPostgres()

describe('after all tests of a service', () => {
  const leftOut = inject('leftOut')

  test('no log line, error answer or audit row holds a token, an identity number, a name or another secret', async ({
    skip,
  }) => {
    const recorded = await readRecord<Recorded>(folder, 'texts')
    skip(leftOut !== undefined && recorded.length === 0, `No service has written anything. ${leftOut}`)
    expect(findLeaks(recorded)).toEqual([])
  })

  test('there are texts of every kind', async ({ skip }) => {
    skip(leftOut !== undefined, leftOut)
    const recorded = await readRecord<Recorded>(folder, 'texts')
    expect(new Set(recorded.map(({ kind }) => kind))).toEqual(new Set(['log', 'error answer', 'audit row']))
  })

  test.for<[RecordedPart, string | undefined]>([
    ['embedded database', undefined],
    ['PostgreSQL', 'missing' in postgres ? postgres.missing : undefined],
    ['browser', missingBrowser],
  ])('there are texts of services with: %s', async ([part, missing], { skip }) => {
    skip(leftOut !== undefined, leftOut)
    // CI must have all of them.
    if (missing !== undefined && !process.env.CI) {
      const reason = `What services write with this was not looked through: ${part}. ${missing}`
      process.stderr.write(`${reason}\n`)
      skip(reason)
    }
    const parts = await readRecord<{ part: RecordedPart }>(folder, 'parts')
    expect(new Set(parts.map(({ part }) => part))).toContain(part)
  })
})

test('a leak is found: in the log, in an error answer, in the audit log', async () => {
  await using planted = await mkdtempDisposable(join(tmpdir(), 'service-link-record-'))
  process.env.SERVICE_TEST_RECORD = planted.path
  try {
    await leakEverywhere()
  } finally {
    process.env.SERVICE_TEST_RECORD = folder
  }
  const leaks = findLeaks(await readRecord<Recorded>(planted.path, 'texts'))
  expect(leaks.map(leak => leak.split(': ').slice(0, 2).join(': ')).sort()).toEqual([
    'audit row: name',
    'error answer: handle',
    'log: token',
  ])
})

/** A service that receives secrets and leaks one into each place. */
async function leakEverywhere(): Promise<void> {
  const { logger } = keepLog()
  await using running = await startService({ logger })
  const token = await sign(running)
  const { handle = '' } = await readBoot(await post(running, token))
  logger.info({ note: token })
  await query(
    running,
    `insert into audit_entries (at, request_id, event, outcome, partner_id) values ('', '', '', '', 'Øvergård')`,
  )
  await using listening = await startFailing(`There is no ${handle} here.`)
  await fetch(`http://127.0.0.1:${listening.port}`)
}

/** A server that answers every request with the service's error form. */
async function startFailing(body: string) {
  const listening = await listen({ host: '127.0.0.1', port: 0 })
  listening.answer(() => new Response(body, { status: 404, headers: { 'x-request-id': 'id' } }))
  return { port: listening.port, [Symbol.asyncDispose]: () => listening.close() }
}

describe('the search', () => {
  const token = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJuIn0xMjM0.c2lnbmF0dXJl'
  const persons = { names: ['Øvergård', 'O"Neill', 'Ann"a', 'Person'], others: ['12857948368'] }
  const find = (text: string) => findLeaks([{ kind: 'log', text }], persons)

  test.each<[string, string]>([
    ['a token', `{"msg":"${token}"}`],
    ['one with a space in its header', `{"msg":"${btoa('{  "alg":"ES256" }')}.${token.slice(21)}"}`],
    ['a handle', '{"url":"/open/aGFuZGxlLWhhbmRsZQ1hbmRsZQ"}'],
    ['an identity number', 'ssn 12857948368 is wrong'],
    ['a name', '{"error":"no Øvergård here"}'],
    ['a name in a page', '<p>O&quot;Neill</p>'],
    ['a text as JSON writes it', '{"a":"Ann\\"a"}'],
  ])('finds %s', (_name, text) => {
    expect(find(text)).toHaveLength(1)
  })

  test('ignores a part of another word, and ids', () => {
    const id = crypto.randomUUID()
    expect(find(`{"msg":"selectOrCreatePerson","requestId":"${id}","account_id":"${id}"}`)).toEqual([])
  })

  test('knows the invented persons', () => {
    const { names, others } = readPersons()
    expect(names).toEqual(expect.arrayContaining(['Øvergård', 'Sæther', 'Ingrid', 'Дмитро']))
    expect(others).toEqual(expect.arrayContaining(['12857948368', 'aase@example.com', 'not-the-password']))
  })
})

import { mkdtempDisposable, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PartnerRegistration } from '@service-link/receiver'
import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from '../../src/server/database/failures.ts'
import { watchPartnersFile } from '../../src/server/partner-link/keep-partners.ts'
import { PartnerRegistrationError } from '../../src/server/partner-link/partner-store.ts'
import { keepLog } from '../support/log.ts'

const secret = Buffer.alloc(32, 7).toString('base64url')

async function start(put: (ids: string[]) => Promise<void>) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'service-link-file-'))
  const path = join(folder.path, 'partners.json')
  const { logger, lines } = keepLog()
  const look = watchPartnersFile({
    path,
    put: registrations => put(registrations.map(({ id }) => id)),
    logger,
  })
  const write = (...ids: string[]) =>
    writeFile(
      path,
      JSON.stringify(
        ids.map((id): PartnerRegistration => ({ id, name: id, keys: [{ kind: 'secret', secret }] })),
      ),
    )
  const reasons = () => lines.map(line => JSON.parse(line)).map(({ msg, reason }) => `${msg}: ${reason}`)
  return { path, look, write, reasons, [Symbol.asyncDispose]: () => folder.remove() }
}

test('a changed file is put once, after two equal reads', async () => {
  const put: string[][] = []
  await using file = await start(async ids => void put.push(ids))
  await file.write('a')
  await file.look()
  await file.write('a', 'b')
  await file.look()
  expect(put).toEqual([])
  await file.look()
  await file.look()
  expect(put).toEqual([['a', 'b']])
})

test('a file replaced by rename is noticed', async () => {
  const put: string[][] = []
  await using file = await start(async ids => void put.push(ids))
  await file.write('b')
  await rename(file.path, `${file.path}.new`)
  await file.write('a')
  for (let looks = 0; looks < 2; looks++) await file.look()
  await rename(`${file.path}.new`, file.path)
  for (let looks = 0; looks < 2; looks++) await file.look()
  expect(put).toEqual([['a'], ['b']])
})

test('an invalid file is logged once, and the next change counts again', async () => {
  const put: string[][] = []
  await using file = await start(async ids => {
    if (ids.includes('broken')) throw new PartnerRegistrationError('Partner broken: no.')
    put.push(ids)
  })
  for (const change of [
    () => writeFile(file.path, '[{'),
    () => writeFile(file.path, '[{"id":"do not print"}]'),
    () => file.write('broken'),
    () => rm(file.path),
    () => file.write('a'),
  ]) {
    await change()
    for (let looks = 0; looks < 4; looks++) await file.look()
  }
  expect(put).toEqual([['a']])
  expect(file.reasons()).toEqual([
    expect.stringMatching(/^partners file refused: PARTNERS_FILE: .* is not JSON/),
    expect.stringMatching(/^partners file refused: PARTNERS_FILE: .*0\.id/s),
    'partners file refused: Partner broken: no.',
    'partners file refused: The file cannot be read.',
  ])
  expect(file.reasons().join()).not.toContain('do not print')
})

test('a put that the database missed is repeated at the next look', async () => {
  let failures = 1
  const put: string[][] = []
  await using file = await start(async ids => {
    if (failures-- > 0) throw new DatabaseUnavailableError()
    put.push(ids)
  })
  await file.write('a')
  await file.look()
  await expect(file.look()).rejects.toThrow(DatabaseUnavailableError)
  await file.look()
  expect(put).toEqual([['a']])
})

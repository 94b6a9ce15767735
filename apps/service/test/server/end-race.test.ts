import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { ApiClient } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post as postTo, readBoot, sign as signAt, visit } from '../support/post.ts'
import { startProcess } from '../support/process.ts'
import { makeStorage } from '../support/service.ts'

const publicUrl = 'http://service.example'
const rounds = 20

test('of an end and visits at once in two processes each visit is before the end or after it', async () => {
  await using resources = new AsyncDisposableStack()
  const key = await createPartnerKey()
  const { dataFolder, databaseUrl } = await makeStorage(resources)
  const partnersFile = join(dataFolder, 'partners.json')
  await writeFile(partnersFile, JSON.stringify([{ ...key.registration, ends: true }]))
  const environment = {
    PUBLIC_URL: publicUrl,
    SERVICE_DATA: dataFolder,
    PARTNERS_FILE: partnersFile,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
  const processes = await Promise.all([startProcess(environment), startProcess(environment)])
  for (const running of processes) resources.use(running)
  const [one, other] = processes
  const posting = { service: { url: publicUrl }, key }
  const ingrid = new ApiClient(posting.service, one.address)
  expect(await ingrid.logIn(accounts.ingrid)).toBe(200)
  expect((await confirmLink(ingrid, posting, visit, one.address)).status).toBe(200)

  const post = async (address: string, payload: Parameters<typeof signAt>[1], accept: string) =>
    postTo({ service: { url: address } }, await signAt(posting, payload), accept)
  const { contact: _, ...employee } = visit
  /** The end that the page of a visit knew, and whether its session lives in the other process. */
  const read = async (answer: Response) => {
    const client = new ApiClient(posting.service, other.address)
    client.keep(answer)
    const { account } = await readBoot(answer)
    const { body } = await client.ask('GET', '/api/session')
    return { lastEnd: Object(account).lastEnd, isAlive: body.employee !== null }
  }
  for (let round = 0; round < rounds; round++) {
    const [known, made, link, end] = await Promise.all([
      post(one.address, visit, 'text/html'),
      // Its person is new: the stores take it.
      post(one.address, { ...visit, contact: { id: `race-${round}`, firstname: 'Ola' } }, 'text/html'),
      post(one.address, visit, 'application/json'),
      post(other.address, Object({ ...employee, end: 'session' }), 'application/json'),
    ])
    expect(await end.json()).toEqual({ ended: 'session' })
    const endId = end.headers.get('x-request-id')
    for (const page of [known, made]) {
      const { lastEnd, isAlive } = await read(page)
      expect(isAlive).toBe(lastEnd === endId)
    }
    const { url } = await link.json()
    const opened = await fetch(url.replace(publicUrl, one.address), { headers: { accept: 'text/html' } })
    if (opened.status !== 410) expect(await read(opened)).toEqual({ lastEnd: endId, isAlive: true })
  }
})

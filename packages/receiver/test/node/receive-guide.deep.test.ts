import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { signPayload } from '@service-link/jwt-payload'
import { registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payload, url } from '../support/receiver.ts'

const guide = new URL('../../../../docs/guides/receive-the-partner-link.md', import.meta.url)
const packageFolder = fileURLToPath(new URL('../../', import.meta.url))
const node = ['--conditions=@service-link/source', '--no-warnings']

/** The guide's files, in a folder of the package, so that its imports are found. */
let folder: string
beforeAll(async () => {
  await mkdir(join(packageFolder, '.data'), { recursive: true })
  folder = await mkdtemp(join(packageFolder, '.data/guide-'))
  const text = await readFile(guide, 'utf8')
  for (const [, name = '', code = ''] of text.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm))
    await writeFile(join(folder, name), code)
  const partners = [{ id: 'strict', name: 'A journal', keys: [registeredKey('p256')] }]
  await writeFile(join(folder, 'partners.json'), JSON.stringify(partners))
  await writeFile(join(folder, 'index.html'), '<!doctype html><html lang="en"><head></head></html>')
})
afterAll(() => rm(folder, { recursive: true }))

test('the guide’s store passes the contract in node:test', async () => {
  const run = promisify(execFile)(process.execPath, [...node, '--test-reporter=tap', 'store.test.ts'], {
    cwd: folder,
  })
  expect((await run).stdout).toMatch(/^# pass 3\d\n# fail 0$/m)
})

const servers = `
  import { once } from 'node:events'
  import { createServer } from 'node:http'
  import { app as express } from './express.ts'
  import { app as fastify } from './fastify.ts'
  import { app as hono } from './hono.ts'

  const fetchServer = answer => async (asked, response) => {
    const init = asked.method === 'POST' ? { body: asked, duplex: 'half' } : {}
    const given = await answer(new Request('http://localhost' + asked.url, { method: asked.method, headers: asked.headers, ...init }))
    response.writeHead(given.status, Object.fromEntries(given.headers)).end(await given.text())
  }
  const listen = async listener => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return 'http://127.0.0.1:' + server.address().port
  }
  console.log(JSON.stringify({
    express: await listen(express),
    fastify: await fastify.listen({ port: 0, host: '127.0.0.1' }),
    hono: await listen(fetchServer(hono.fetch)),
  }))`

test('each of the guide’s servers answers a post and opens a one-time URL', async () => {
  const program = spawn(process.execPath, [...node, '--input-type=module', '--eval', servers], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const ended = once(program, 'exit').then(([code]) =>
      Promise.reject(new Error(`The servers ended: ${code}.`)),
    )
    const [printed] = await Promise.race([once(program.stdout, 'data'), ended])
    ended.catch(() => undefined)
    const origins: Record<string, string> = JSON.parse(String(printed))
    expect(Object.keys(origins)).toEqual(['express', 'fastify', 'hono'])
    for (const [name, origin] of Object.entries(origins)) {
      const token = await signPayload(payload, signingKey('p256'), { audience: url })
      const body = new URLSearchParams({ payload: token })
      const headers = { accept: 'application/json' }
      const posted = await fetch(`${origin}/partner/payload`, { method: 'POST', body, headers })
      expect(posted.status, name).toBe(200)
      const { pathname } = new URL(Object(await posted.json()).url)
      const opened = await fetch(`${origin}${pathname}`)
      expect(opened.status, name).toBe(200)
      expect(await opened.text()).toContain('"kind":"log-in"')
      const replayed = await fetch(`${origin}/partner/payload`, { method: 'POST', body, headers })
      expect(await replayed.json()).toMatchObject({ code: 'ERR_PAYLOAD_REPLAYED' })
    }
  } finally {
    program.kill()
  }
})

import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { describePacked, folder, installed, nodesOf, run, start } from './packed.ts'

const guide = new URL('../../docs/guides/receive-the-partner-link.md', import.meta.url)
const examples = new URL('../../docs/examples/receiver/', import.meta.url)

/** Node 20 has no `node:sqlite`, in which the guide's store keeps its rows. */
const node = nodesOf('wrapper-host')[0]?.path ?? ''

/** Writes the guide's files as a service has them. */
function writeService(publicKey: string): void {
  cpSync(examples, join(folder, 'service'), { recursive: true })
  const text = readFileSync(guide, 'utf8')
  for (const [, name = '', code = ''] of text.matchAll(/^```ts\n\/\/ ([\w.-]+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(folder, 'service', name), code)
  const partners = [
    { id: 'journal', name: 'A journal', keys: [{ kind: 'spki', pem: publicKey, kid: '2026' }] },
  ]
  writeFileSync(join(folder, 'service/partners.json'), JSON.stringify(partners))
  writeFileSync(join(folder, 'service/index.html'), '<!doctype html><html lang="en"><head></head></html>')
}

/** Starts the guide's Express server with its first visit. Prints the port, and the cookies of a log-in and of a link. */
const firstVisitProgram = `
  import { app } from './express.ts'
  import { firstVisit } from './first-visit.ts'
  import { startSession } from './sessions.ts'
  const account = { id: 'account-1', displayName: 'Kari Nordmann' }
  const cookies = [startSession(account), startSession(account, 'a link')].map(cookie => cookie.split(';')[0])
  app.use(firstVisit)
  const server = app.listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify({ port: server.address().port, cookies })))`

/** Starts the guide's servers, and prints the port. */
const servers = {
  express: `const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port))`,
  fastify: `console.log(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)`,
  hono: `const { serve } = await import('@hono/node-server')
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(port))`,
}

describePacked('a receiver with a store of its own, by the guide', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const service = join(folder, 'service')
  beforeAll(() => {
    mkdirSync(service)
    writeService(pair.publicKey.export({ type: 'spki', format: 'pem' }))
    writeFileSync(join(service, 'key.pem'), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const contact = { id: 'c', firstname: 'K', lastname: 'N' }
    const claims = { organizationId: 'o', employeeId: 'e', contact }
    writeFileSync(join(service, 'claims.json'), JSON.stringify(claims))
  })

  async function signForm(): Promise<URLSearchParams> {
    const signer = installed('@service-link/jwt-payload/dist/cli/service-payload.js')
    const options = ['--key', 'key.pem', '--kid', '2026', '--claims', 'claims.json']
    const audience = ['--audience', 'https://sso.example/partner/payload']
    const payload = await run(node, [signer, 'sign', ...options, ...audience], {}, service)
    return new URLSearchParams({ payload: payload.trim() })
  }

  test('its store passes the contract in node:test', async () => {
    const args = ['--no-warnings', '--test', '--test-reporter=tap', 'store.test.ts']
    expect(await run(node, args, {}, service)).toMatch(/^# pass [3-9]\d\n# fail 0$/m)
  })

  test.each(Object.entries(servers))(
    'its server in %s takes a post and opens the one-time URL',
    async (name, listen) => {
      const program = `import { app } from './${name}.ts'\n${listen}`
      const args = ['--no-warnings', '--input-type=module', '--eval', program]
      await using server = await start(node, args, {}, service)
      const origin = `http://127.0.0.1:${server.firstLine}`
      const body = await signForm()
      const init = { method: 'POST', body, headers: { accept: 'application/json' } }
      const posted = await fetch(`${origin}/partner/payload`, init)
      expect(posted.status).toBe(200)
      const { pathname } = new URL(Object(await posted.json()).url)
      expect(await (await fetch(`${origin}${pathname}`)).text()).toContain('"kind":"log-in"')
      const replayed = await fetch(`${origin}/partner/payload`, init)
      expect(await replayed.json()).toMatchObject({ code: 'ERR_PAYLOAD_REPLAYED' })
    },
  )

  test('its first visit links once, in the session of a log-in, from its own page', async () => {
    const args = ['--no-warnings', '--input-type=module', '--eval', firstVisitProgram]
    await using server = await start(node, args, {}, service)
    const { port, cookies } = JSON.parse(server.firstLine)
    const origin = `http://127.0.0.1:${port}`
    const page = await fetch(`${origin}/partner/payload`, { method: 'POST', body: await signForm() })
    const [, handle = ''] = /"handle":"([\w-]+)"/.exec(await page.text()) ?? []
    const confirm = async (cookie: string, site = 'same-origin') => {
      const headers = { cookie, 'sec-fetch-site': site, 'content-type': 'application/json' }
      const answer = await fetch(`${origin}/first-visit`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ handle }),
      })
      return [answer.status, await answer.text()]
    }
    const [logIn, link] = cookies
    expect(await confirm('')).toEqual([403, 'Forbidden'])
    expect(await confirm(link)).toEqual([403, 'Forbidden'])
    expect(await confirm(logIn, 'cross-site')).toEqual([403, 'Forbidden'])
    expect(await confirm(logIn)).toEqual([200, expect.stringContaining('"kind":"created"')])
    expect(await confirm(logIn)).toEqual([410, expect.stringContaining('ERR_PENDING_GONE')])
  })
})

describePacked('service-payload serve finds the receiver that is installed beside it', () => {
  test.each(nodesOf('receiver'))('on Node $version', async ({ path }) => {
    const program = installed('@service-link/jwt-payload/dist/cli/service-payload.js')
    await using service = await start(path, [program, 'serve'])
    const answer = await fetch(`${JSON.parse(service.firstLine).origin}/tokens/valid`, { method: 'POST' })
    expect(await answer.json()).toEqual({ token: expect.stringMatching(/^ey/) })
  })
})

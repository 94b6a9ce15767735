import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { describePacked, folder, installed, nodesOf, packages, run, start } from './packed.ts'

const serverFile = new URL('../../docs/examples/receiver/fetch.ts', import.meta.url)
const service = join(folder, 'edge')

/** The guide's server, and a sender and the stores' contract on the same runtime. */
const program = `
  import { signPayload } from '@service-link/jwt-payload'
  import { createMemoryStore, storeContract } from '@service-link/receiver/testing'
  import server from './fetch.ts'
  import signing from './signing.json' with { type: 'json' }

  const payload = { organizationId: 'o', employeeId: 'e', contact: { id: 'c', firstname: 'K', lastname: 'N' } }
  const audience = 'https://sso.example/partner/payload'
  const broken = async () => {
    const errors: string[] = []
    for (const { run } of storeContract(({ accounts }) => createMemoryStore({ accounts })))
      await run().catch(error => errors.push(String(error)))
    return errors
  }
  export default {
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request: Request) {
      const [, name = '', kid = ''] = new URL(request.url).pathname.split('/')
      if (name === 'sign') return new Response(await signPayload(payload, signing[kid], { audience }))
      return name === 'contract' ? Response.json(await broken()) : server.fetch(request)
    },
  }`

const config = `using Workerd = import "/workerd/workerd.capnp";
  const config :Workerd.Config = (
    services = [(name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-11-01"))],
    sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
  );`

/** Deno tells its address on standard error. */
const merged = ['-c', 'exec "$0" "$@" 2>&1']

const runtimes = {
  workerd: ['runtime-workerd/bin/workerd', 'serve', 'config.capnp', '--control-fd=1'],
  Deno: [
    'runtime-deno/deno',
    'serve',
    '--no-remote',
    '--allow-env',
    '--host=127.0.0.1',
    '--port=0',
    'main.ts',
  ],
  Bun: ['runtime-bun/bin/bun', 'main.ts'],
} as const

async function writeService(): Promise<void> {
  mkdirSync(service)
  const keys = join(service, 'keys')
  const keygen = installed('@service-link/jwt-payload/dist/cli/service-payload.js')
  await run(nodesOf('jwt-payload')[0]?.path ?? '', [keygen, 'keygen', '--name', 'Journal', '--out', keys])
  const [registration] = JSON.parse(readFileSync(join(keys, 'registration.json'), 'utf8'))
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = { kind: 'spki', kid: 'ec', pem: pair.publicKey.export({ type: 'spki', format: 'pem' }) }
  const [certificate] = registration.keys
  const signing = {
    ec: { kind: 'pkcs8', kid: 'ec', pem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) },
    rsa: { kind: 'pkcs8', kid: 'rsa', pem: readFileSync(join(keys, 'private.pem'), 'utf8') },
  }
  const files = {
    'fetch.ts': readFileSync(serverFile, 'utf8'),
    'main.ts': program,
    'config.capnp': config,
    'signing.json': JSON.stringify(signing),
    'partners.json': JSON.stringify({ ...registration, keys: [{ ...certificate, kid: 'rsa' }, spki] }),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(service, name), content)
  await build({
    entryPoints: [join(service, 'main.ts')],
    outfile: join(service, 'worker.js'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker'],
    logLevel: 'error',
  })
}

describePacked('the guide’s server with Request and Response', () => {
  beforeAll(writeService)

  describe.each(Object.entries(runtimes))('on %s', (name, [program, ...args]) => {
    // An optional package: without it the set-up goes on.
    test.skipIf(!existsSync(installed(program)))(
      'signs, takes a post once, opens its page once and refuses other posts',
      async () => {
        await using server = await start('sh', [...merged, installed(program), ...args], {}, service)
        const [, port] = /(?::|"port":)(\d{4,5})\b/.exec(server.firstLine) ?? []
        expect(port, server.firstLine).toBeDefined()
        const origin = `http://127.0.0.1:${port}`
        const post = (payload: string) =>
          fetch(`${origin}/partner/payload`, {
            method: 'POST',
            headers: { accept: 'application/json' },
            body: new URLSearchParams({ payload }),
          })
        for (const kid of ['ec', 'rsa']) {
          const token = await (await fetch(`${origin}/sign/${kid}`)).text()
          const posted = await post(token)
          expect(posted.status, name).toBe(200)
          const { pathname } = new URL(Object(await posted.json()).url)
          expect(await (await fetch(`${origin}${pathname}`)).text()).toContain('"kind":"log-in"')
          expect((await fetch(`${origin}${pathname}`)).status).toBe(410)
          expect(await (await post(token)).json()).toMatchObject({ code: 'ERR_PAYLOAD_REPLAYED' })
          const changed = token.replace(/\.[^.]+$/, `.${'A'.repeat(kid === 'ec' ? 86 : 512)}`)
          expect(await (await post(changed)).json()).toMatchObject({ code: 'ERR_PAYLOAD_SIGNATURE' })
        }
        expect((await post('no token')).status).toBe(400)
        expect(await (await fetch(`${origin}/contract`)).json()).toEqual([])
      },
    )
  })
})

/** Imports each entry in turn, and fails on one that exports nothing. */
const importing = (entries: readonly string[]) => `
  for (const entry of ${JSON.stringify(entries)})
    if (Object.keys(await import(entry)).length === 0) throw new Error(entry + ' is empty')`

describePacked('every entry for the oldest Node can be imported', () => {
  const portable = packages.filter(({ oldestNode }) => oldestNode === nodesOf('pipe-client')[0]?.version)
  const code = importing(portable.flatMap(({ entries }) => entries))

  describe.each([
    ['Bun', runtimes.Bun[0], '--eval'],
    ['Deno', runtimes.Deno[0], 'eval'],
  ])('on %s', (_name, program, evaluate) => {
    test.skipIf(!existsSync(installed(program)))('and has exports', async () => {
      await run(installed(program), [evaluate, code])
    })
  })
})

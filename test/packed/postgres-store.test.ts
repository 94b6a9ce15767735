import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  askPostgres,
  findPostgres,
  type PostgresCluster,
  startPostgres,
} from '../../internal/test-kit/src/postgres.ts'
import { describePacked, folder, nodesOf, run, start } from './packed.ts'

const guide = readFileSync(new URL('../../docs/guides/receive-the-partner-link.md', import.meta.url), 'utf8')

/** A file of the guide. */
function fileOf(name: string): string {
  const start = guide.indexOf(`// ${name}\n`)
  return guide.slice(start, guide.indexOf('\n```\n', start) + 1)
}

const examples = new URL('../../docs/examples/receiver/', import.meta.url)
const store = readFileSync(new URL('postgres-store.ts', examples), 'utf8')
const tables = readFileSync(new URL('postgres-store.sql', examples), 'utf8')
const programs = findPostgres()
const isMissing = 'missing' in programs

/** Says on standard output how many cases failed, after the rules that are broken. */
const contract = `
  import { storeContract } from '@service-link/receiver/testing'
  import pg from 'pg'
  import { openStore } from './postgres-store.mjs'

  const url = process.env.DATABASE_URL
  const client = new pg.Client(url)
  await client.connect()
  let failed = 0
  for (const { run } of storeContract(async ({ accounts }) => {
    await client.query('truncate link_rows, contacts')
    return openStore(url, accounts)
  })) await run().catch(error => console.log(++failed, String(error)))
  await client.end()
  console.log(failed, 'failed on', process.version)`

/** Packages of a new project by `create-next-app`, and the packages of the guide. */
const manifest = {
  name: 'app',
  private: true,
  dependencies: { next: '16', pg: '8', react: '19', 'react-dom': '19' },
  devDependencies: { '@types/node': '20', '@types/pg': '8', '@types/react': '19', typescript: '5' },
}

/** A new project of Next, with the guide's files and changes. */
function writeProject(project: string): void {
  const layout = `export default function Layout({ children }: Readonly<{ children: React.ReactNode }>) {
    return <html lang="en"><body>{children}</body></html>
  }`
  const compilerOptions = {
    target: 'ES2017',
    lib: ['dom', 'dom.iterable', 'esnext'],
    allowJs: true,
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    resolveJsonModule: true,
    isolatedModules: true,
    jsx: 'react-jsx',
    incremental: true,
    plugins: [{ name: 'next' }],
    paths: { '@/*': ['./*'] },
  }
  const receiver = fileOf('receiver.ts')
    .replace("'./store.ts'", "'./postgres-store'")
    .replace("'./sessions.ts'", "'./sessions'")
    .replace("'service.db'", "process.env.DATABASE_URL ?? ''")
  const routes = ['app/partner/payload/route.ts', 'app/partner/payload/open/[handle]/route.ts']
  const files = {
    'package.json': JSON.stringify(manifest),
    'next.config.mjs': 'export default { cacheComponents: true, partialPrefetching: true }',
    'tsconfig.json': JSON.stringify({
      compilerOptions,
      include: ['**/*.ts', '**/*.tsx', '.next/types/**/*.ts'],
    }),
    'app/layout.tsx': layout,
    'app/page.tsx': 'export default function Page() { return <p>Web app</p> }',
    'receiver.ts': receiver,
    'postgres-store.ts': store,
    'sessions.ts': readFileSync(new URL('sessions.ts', examples), 'utf8'),
    'partners.json': '[]',
    'index.html': '<!doctype html><html lang="en"><head></head></html>',
    ...Object.fromEntries(
      routes.map(name => [name, readFileSync(new URL(`next/${name}`, examples), 'utf8')]),
    ),
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), content)
  }
}

/** Authorities of a network's own, which npm of another Node finds by the variable alone. */
const { NODE_EXTRA_CA_CERTS } = process.env
const certificates: Record<string, string> = NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}

describePacked('the guide’s store on PostgreSQL', () => {
  let cluster: PostgresCluster | undefined
  let env: Record<string, string>
  beforeAll(async () => {
    if (isMissing) return
    cluster = await startPostgres(programs)
    const url = cluster.databases.urlOf(await cluster.databases.create())
    await askPostgres(url, tables)
    env = { DATABASE_URL: url }
  })
  afterAll(() => cluster?.[Symbol.asyncDispose]())

  test.skipIf(isMissing)('passes the contract on the oldest Node', async () => {
    const { code } = await transform(store, { loader: 'ts', target: 'node20' })
    writeFileSync(join(folder, 'postgres-store.mjs'), code)
    const [node] = nodesOf('receiver')
    const told = await run(node?.path ?? '', ['--input-type=module', '--eval', contract], env)
    expect(told).toMatch(/^0 failed on v20\.\d+\.\d+\n$/)
  })

  test.skipIf(isMissing)('is built into a new project of Next, whose server answers a post', async () => {
    const project = join(folder, 'next')
    writeProject(project)
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--no-package-lock'],
      certificates,
      project,
    )
    const next = join(project, 'node_modules/next/dist/bin/next')
    const more = { ...env, NEXT_TELEMETRY_DISABLED: '1' }
    await run(process.execPath, [next, 'build'], more, project)
    const serve = `console.log = () => undefined
      const { createServer } = require('node:http')
      const app = require('next')({ dev: false, hostname: '127.0.0.1' })
      app.prepare().then(() => {
        const server = createServer(app.getRequestHandler())
        server.listen(0, '127.0.0.1', () => process.stdout.write(server.address().port + '\\n'))
      })`
    const args = ['--input-type=commonjs', '--eval', serve]
    await using server = await start(process.execPath, args, more, project)
    const address = `http://127.0.0.1:${server.firstLine}/partner/payload`
    const post = (url: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ payload: 'x' }) })
    expect(await (await post(address)).json()).toMatchObject({ code: 'ERR_PAYLOAD_MALFORMED' })
    expect(await (await fetch(`${address}/open/none`)).json()).toMatchObject({ code: 'ERR_LINK_GONE' })
  })
})

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** The databases of a running cluster, reached through a socket in its folder. */
export interface PostgresDatabases {
  /** Address of a database. */
  urlOf(database: string): string
  /** Makes one with a new name, a copy of `template` if given. */
  create(template?: string): Promise<string>
  drop(name: string): Promise<void>
}

/** A separate PostgreSQL. */
export interface PostgresCluster extends AsyncDisposable {
  readonly folder: string
  readonly databases: PostgresDatabases
  /** `fast` ends its connections, `immediate` is a crash; resolves when the server has ended. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  /** Resolves when it accepts connections. */
  start(): Promise<void>
}

/**
 * Ends the server and removes its folder when the process that started it is gone for any reason: the shared standard
 * input then closes. Until then each of its lines is a command.
 */
const guard = `
  run() { "$PROGRAMS/postgres" -D "$FOLDER/data" -k "$FOLDER" -c listen_addresses= -c fsync=off -c full_page_writes=off \\
    -c max_connections=200 -c shared_buffers=64MB -c autovacuum=off >>"$FOLDER/log" 2>&1 <&3 & server=$!; }
  exec 3</dev/null
  while read -r command; do case $command in
    start) run ;;
    *) kill -"$command" "$server"; wait "$server" ;;
  esac; echo done; done
  kill -QUIT "$server" 2>/dev/null; wait "$server"
  rm -rf "$FOLDER"`

/** Starts a PostgreSQL in a new folder, without a port. Its data survive its crash, but not the machine's. */
export async function startPostgres(programs: PostgresPrograms = findPostgres()): Promise<PostgresCluster> {
  if ('missing' in programs) throw new Error(programs.missing)
  const { folder: programFolder, ...user } = programs
  const folder = await mkdtemp(join(tmpdir(), 'service-link-pg-'))
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  await using resources = new AsyncDisposableStack()
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const asUser = { ...user, env: { ...process.env, FOLDER: folder, PROGRAMS: programFolder }, cwd: folder }
  const settings = ['--auth=trust', '--username=service', '--encoding=UTF8', '--locale=C', '--no-sync']
  const made = spawn(join(programFolder, 'initdb'), ['-D', join(folder, 'data'), ...settings], {
    ...asUser,
    stdio: 'ignore',
  })
  const [code] = await once(made, 'close')
  if (code !== 0) throw new Error(`initdb ended with ${code}.`)
  // A separate process group: the terminal's Ctrl+C must not end the server before its clients.
  const child = spawn('sh', ['-c', guard], { ...asUser, detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  const closed = once(child, 'close')
  resources.defer(async () => {
    child.stdin?.end()
    await closed
  })

  const databases = databasesIn(folder)
  const start = async () => {
    await command(child, 'start')
    await isReady(databases.urlOf('postgres'))
  }
  await start()
  const owned = resources.move()
  return {
    folder,
    databases,
    start,
    stop: mode => command(child, mode === 'fast' ? 'INT' : 'QUIT'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The databases of the cluster in this folder. */
export function databasesIn(folder: string): PostgresDatabases {
  const urlOf = (name: string) => `postgres://service@localhost/${name}?host=${encodeURIComponent(folder)}`
  return {
    urlOf,
    async create(template = 'template0') {
      const name = `test_${randomUUID().replaceAll('-', '')}`
      await askPostgres(urlOf('postgres'), `create database ${name} template ${template} strategy file_copy`)
      return name
    },
    async drop(name) {
      await askPostgres(urlOf('postgres'), `drop database if exists ${name} with (force)`)
    },
  }
}

/** The address for services on a busy machine: a pause of seconds must not count as a lost server. */
export function patientUrl(url: string): string {
  const patient = new URL(url)
  patient.searchParams.set('connect_timeout', '60')
  return patient.href
}

/** Runs one statement over a new connection. */
export async function askPostgres(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Asks until it succeeds: a starting server refuses connections. */
async function isReady(url: string): Promise<void> {
  const endsAt = Date.now() + 60_000
  for (;;) {
    try {
      await askPostgres(url, 'select 1')
      return
    } catch (error) {
      if (Date.now() > endsAt) throw error
    }
    await delay(20)
  }
}

/** Sends the guard a command and waits for its end. */
async function command({ stdin, stdout }: ChildProcess, line: string): Promise<void> {
  if (!stdin || !stdout) throw new Error('The guard has no standard input.')
  const done = once(stdout, 'data')
  stdin.write(`${line}\n`)
  await done
}

/** Oldest supported major version. */
const oldestVersion = 15

/** The folder of PostgreSQL's server, or why none is available. */
type PostgresPrograms =
  | { readonly folder: string; readonly uid?: number; readonly gid?: number }
  | { readonly missing: string }

/** Finds the newest installed server. It refuses to run as root, so root runs it as the package's system user. */
export function findPostgres(): PostgresPrograms {
  if (process.platform === 'win32') return { missing: 'PostgreSQL is not looked for on Windows.' }
  const folder = findFolder()
  if (folder === undefined) return { missing: `PostgreSQL ${oldestVersion} or newer is not installed.` }
  if (process.getuid?.() !== 0) return { folder }
  const [uid, gid] = ['-u', '-g'].map(flag =>
    Number.parseInt(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout, 10),
  )
  if (!uid || !gid) return { missing: 'There is no user "postgres", and root may not run PostgreSQL.' }
  return { folder, uid, gid }
}

/** The packages of Debian, Ubuntu, Fedora and Homebrew install the server outside the PATH. */
function findFolder(): string | undefined {
  const installed = globSync([
    '/usr/lib/postgresql/*/bin',
    '/usr/pgsql-*/bin',
    '/opt/homebrew/opt/postgresql@*/bin',
    '/usr/local/opt/postgresql@*/bin',
  ])
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...installed]
  return folders
    .filter(folder => ['initdb', 'postgres'].every(program => existsSync(join(folder, program))))
    .map(folder => ({ folder, version: versionOf(folder) }))
    .filter(({ version }) => version >= oldestVersion)
    .sort((a, b) => b.version - a.version)[0]?.folder
}

function versionOf(folder: string): number {
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/(\d+)/.exec(stdout ?? '')?.[1] ?? 0)
}

import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Oldest supported major version. */
const oldestVersion = 15

/** The folder of PostgreSQL's server, or why none is available. */
export type PostgresPrograms =
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

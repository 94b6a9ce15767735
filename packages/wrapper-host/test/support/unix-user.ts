import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, copyFile, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { vi } from 'vitest'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
const why = await whyNoUsers()

/** Whether the test can make users that may run this project. If not, tests with two users are skipped with a message. */
export const canMakeUsers = why === undefined
if (!canMakeUsers) console.warn(`Tests with several users are skipped: ${why}.`)

/** A user of this machine until the end of the scope. */
export interface UnixUser extends AsyncDisposable {
  readonly uid: number
  readonly gid: number
  /** The home. Others may enter it, as on many machines. */
  readonly home: string
}

/** Makes a user with a home. */
export async function unixUser(): Promise<UnixUser> {
  const run = promisify(execFile)
  const name = `wrapper-${randomBytes(4).toString('hex')}`
  await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name])
  const [uid = 0, gid = 0] = await Promise.all(
    ['-u', '-g'].map(async flag => Number((await run('id', [flag, name])).stdout)),
  )
  const home = await mkdtemp(join(tmpdir(), 'wrapper-home-'))
  await chown(home, uid, gid)
  await chmod(home, 0o755)
  return {
    uid,
    gid,
    home,
    async [Symbol.asyncDispose]() {
      await vi.waitFor(
        async () => {
          if (await hasProcesses(uid)) throw new Error('Processes of a user of a test still run.')
        },
        { timeout: 60_000 },
      )
      await run('userdel', [name])
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function hasProcesses(uid: number): Promise<boolean> {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    if (status.includes(`\nUid:\t${uid}\t`) && !/\nState:\t[ZX]/.test(status)) return true
  }
  return false
}

async function whyNoUsers(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'not on Linux'
  if (process.getuid?.() !== 0) return 'not root'
  if (!isInstalled('useradd') || !isInstalled('userdel')) return 'there is no useradd'
  if (!(await isForOthers(packageFolder))) return 'other users may not read this project'
  return undefined
}

/** A file of Node. */
export interface TestNode extends AsyncDisposable {
  readonly file: string
}

/** A Node that every user of this machine may run. */
export const sharedNode = (): Promise<TestNode> => nodeThat(isForOthers)

/** A Node that only this user and the administrator may change. */
export const trustedNode = (): Promise<TestNode> => nodeThat(isTrusted)

/** This process's Node, or a copy until the end of the scope if its place is not fit, such as a closed home. */
async function nodeThat(isFit: (file: string) => Promise<boolean>): Promise<TestNode> {
  const own = await realpath(process.execPath)
  if (await isFit(own)) return { file: own, [Symbol.asyncDispose]: async () => undefined }
  const folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
  const file = join(folder.path, basename(own))
  await copyFile(own, file)
  await chmod(file, 0o755)
  return { file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

/** Whether users other than the owner may read and run a file. */
export async function isForOthers(path: string): Promise<boolean> {
  if (((await stat(path)).mode & 0o005) !== 0o005) return false
  const above = await Promise.all(foldersAbove(path).map(folder => stat(folder)))
  return above.every(({ mode }) => (mode & 0o001) !== 0)
}

async function isTrusted(file: string): Promise<boolean> {
  const found = await Promise.all([file, ...foldersAbove(file)].map(path => stat(path)))
  return found.every(({ uid, mode }) => (uid === 0 || uid === process.getuid?.()) && (mode & 0o022) === 0)
}

/** All but the root. */
function foldersAbove(path: string): readonly string[] {
  const folders: string[] = []
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) folders.push(folder)
  return folders
}

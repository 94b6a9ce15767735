import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { vi } from 'vitest'
import { isForOthers } from './test-node.ts'

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

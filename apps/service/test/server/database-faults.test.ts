import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, writeSync } from 'node:fs'
import { mkdir, mkdtempDisposable, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepLog } from '../support/log.ts'
import { expectOutage, expectRecovery } from '../support/outage.ts'
import { post, sign } from '../support/post.ts'
import { runInProcess } from '../support/process.ts'
import { startService } from '../support/service.ts'

const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0
if (!canMount)
  console.error('Left out: only root can mount a full or a read-only disk, and not in every container.')

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
let data: string
let file: string
beforeEach(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), 'service-link-faults-'))
  data = join(folder.path, 'data')
  file = join(data, 'service.sqlite')
})
afterEach(() => folder.remove())

/** A service in this process, and its log. */
async function start() {
  const { logger, lines } = keepLog()
  const running = await startService({ dataFolder: data, logger })
  const close = () => running[Symbol.asyncDispose]()
  const { url } = running.service
  return { running, asked: { publicUrl: url, address: url }, lines, close, [Symbol.asyncDispose]: close }
}

/** Runs a command of the system as root. */
function run(...[command = '', ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
}

/** Mounts on the data folder, until the result is disposed. */
async function mount(...args: readonly string[]) {
  await mkdir(data, { recursive: true })
  run('mount', ...args, data)
  return { [Symbol.dispose]: () => run('umount', '--lazy', data) }
}

/** Overwrites the first page of a table. */
function damage(table: string): void {
  using database = new DatabaseSync(file)
  const { page_size } = Object(database.prepare('pragma page_size').get())
  const { rootpage } = Object(
    database.prepare('select rootpage from sqlite_schema where name = ?').get(table),
  )
  writeSync(openSync(file, 'r+'), Buffer.alloc(page_size, 0xff), 0, page_size, (rootpage - 1) * page_size)
}

describe('the embedded database', () => {
  test.skipIf(!canMount)('on a full disk: 503, the cause in the log, and by itself 200 again', async () => {
    using _disk = await mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs')
    await using service = await start()
    const filler = join(data, 'filler')
    const out = openSync(filler, 'w')
    expect(() => {
      for (const block = Buffer.alloc(4096); ; ) writeSync(out, block)
    }).toThrow('ENOSPC')
    // The log of changes has some room left from before.
    const statusOf = async () => (await fetch(`${service.asked.address}/health/ready`)).status
    await expect.poll(statusOf, { timeout: 60_000 }).toBe(503)
    await expectOutage(service.asked)
    expect(service.lines.join('')).toContain('SQLITE_FULL')
    closeSync(out)
    await rm(filler)
    await expectRecovery(service.asked)
  })

  test('that is damaged: 503, the cause in the log, not ready until the next start', async () => {
    await (await start()).close()
    damage('auth_accounts')
    await using service = await start()
    await expectOutage(service.asked, { hasPage: false })
    expect(service.lines.join('')).toContain('SQLITE_CORRUPT: database disk image is malformed')
  })

  test('whose file is gone or replaced: nothing is written to the lost one, and it recovers', async () => {
    await using service = await start()
    const away = join(folder.path, 'away')
    await rename(file, away)
    await expectOutage(service.asked)
    expect(service.lines.join('')).toContain('SQLITE_READONLY')
    for (const accept of ['text/html', 'application/problem+json']) {
      const answer = await post(service.running, await sign(service.running), accept)
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([503, accept])
      expect(await answer.text()).toContain('ERR_UNAVAILABLE')
      const logged = service.lines.filter(line => line.includes('"msg":"partner link"')).at(-1) ?? '{}'
      expect(JSON.parse(logged).reason).toMatch(/^SQLITE_READONLY: /)
    }
    await writeFile(file, '')
    await expectOutage(service.asked)
    await rename(away, file)
    await expectRecovery(service.asked)
  })

  test('that another process locks: 503, and by itself 200 again', async () => {
    await using service = await start()
    {
      using other = new DatabaseSync(file)
      other.exec('begin immediate')
      await expectOutage(service.asked)
    }
    expect(service.lines.join('')).toContain('SQLITE_BUSY')
    await expectRecovery(service.asked)
  })
})

describe('a start on an embedded database', () => {
  const restore = 'Restore a back-up, or move service.sqlite* away to begin without data.'
  const choose = 'Name with SERVICE_DATA a folder in which this user may write.'

  /** Starts until it ends by itself. */
  async function refused(): Promise<string> {
    const { ended, output } = runInProcess({ SERVICE_DATA: data, LOG_LEVEL: 'silent' })
    expect(await ended).toBe(2)
    return output.join('\n')
  }

  test.each<[string, () => Promise<void>, string]>([
    [
      'that is no database',
      async () => {
        await mkdir(data)
        await writeFile(file, 'This is a letter, and no database. '.repeat(200))
      },
      `SQLITE_NOTADB: file is not a database. ${restore}`,
    ],
    [
      'that is damaged',
      async () => {
        await (await start()).close()
        damage('auth_users')
      },
      `SQLITE_CORRUPT: database disk image is malformed. ${restore}`,
    ],
    [
      'that is a folder',
      async () => void (await mkdir(file, { recursive: true })),
      `SQLITE_CANTOPEN: unable to open database file. ${choose}`,
    ],
    [
      'in a file instead of a folder',
      () => writeFile(data, ''),
      `SQLITE_CANTOPEN: its folder cannot be made (EEXIST). ${choose}`,
    ],
  ])('%s ends with the file and the reason', async (_name, prepare, reason) => {
    await prepare()
    expect(await refused()).toBe(`SERVICE_DATA: ${file} cannot be used. ${reason}`)
  })

  test.skipIf(!canMount)('on a full disk ends with the file and the reason', async () => {
    using _disk = await mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs')
    expect(await refused()).toMatch(
      /^SERVICE_DATA: \S+\/service.sqlite cannot be used. SQLITE_(FULL|IOERR): .*\. Free space on its disk/,
    )
  })

  test.skipIf(!canMount).each([
    ['with tables', true],
    ['without a file', false],
  ])('in a read-only folder, %s, ends with the file and the reason', async (_, hasTables) => {
    await mkdir(data)
    if (hasTables) await (await start()).close()
    using _bound = await mount('--bind', data)
    run('mount', '-o', 'remount,ro,bind', data)
    expect(await refused()).toMatch(
      /^SERVICE_DATA: \S+\/service.sqlite cannot be used. SQLITE_(CANTOPEN|READONLY): .*\. Name with SERVICE_DATA/,
    )
    expect(readdirSync(data)).toEqual(hasTables ? ['auth-secret', 'service.sqlite'] : [])
  })
})

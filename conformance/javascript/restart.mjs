// A journal’s test of a start, a crash and a restart, beside wrapper-for-tests.mjs.
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connectWrapper, findWrappers } from '@service-link/pipe-client'
import { startTestWrapper } from '@service-link/wrapper-host/testing'

const folder = await mkdtemp(join(tmpdir(), 'journal-'))
const folders = { applicationRoot: join(folder, 'root'), userFolder: join(folder, 'user') }
const installedAs = [process.execPath, resolve('wrapper-for-tests.mjs')]
const installed = await startTestWrapper({ folders, installedAs })
await installed.close()

process.env.SERVICE_WRAPPER_DATA = folders.userFolder
const client = await connectWrapper({ startIfNeeded: true })
await client.disconnect()
const [running] = await findWrappers()
process.kill(running.pid, 'SIGKILL') // a crash
const isRunning = () => {
  try {
    return process.kill(running.pid, 0)
  } catch {
    return false
  }
}
while (isRunning()) await setTimeout(20)

const next = await connectWrapper({ startIfNeeded: true })
const { status } = await next.selectPerson({ customId: '4711', firstname: 'Kari', lastname: 'Nordmann' })
assert.equal(status, 'created') // each start has a new web app in memory
await next.close({ signOut: false })

import { mkdir, writeFile } from 'node:fs/promises'
import { InstanceAccessError } from '../../../packages/wrapper-host/src/files/access.ts'
import { claimInstance } from '../../../packages/wrapper-host/src/start/claim-instance.ts'
import { tryLockInstance } from '../../../packages/wrapper-host/src/start/instance-lock.ts'
import { placeOf } from '../../../packages/wrapper-host/src/start/instance-place.ts'

// Runs in Node for Windows: claims an instance whose address has a listener, with its lock held and free.
const [, , userFolder = '', application = '', digits = ''] = process.argv

const place = placeOf({ name: 'a'.repeat(12), desktop: '', application, userFolder }, 'win32')
const launch = { id: 'a'.repeat(32), argv: [], workingDirectory: userFolder }

async function claim(): Promise<string> {
  try {
    const claimed = await claimInstance(place, { launch }, { timeoutMs: 60_000 })
    if (claimed.role === 'wrapper') await claimed.release()
    return claimed.role
  } catch (error) {
    if (error instanceof InstanceAccessError) return error.fault
    throw error
  }
}

await mkdir(place.privateFolder, { recursive: true })
const key = { ask: 'b'.repeat(64), answer: 'c'.repeat(64) }
const record = { pid: process.pid, desktop: '', version: '3.0.0.0', address: place.address + digits, key }
await writeFile(place.recordFile, JSON.stringify(record))
const lock = tryLockInstance(place.lockFile)
const whileHeld = await claim()
lock?.[Symbol.dispose]()
process.stdout.write(JSON.stringify({ whileHeld, whenFree: await claim() }))

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { claimInstance } from '../../../packages/wrapper-host/src/instance/claim-instance.ts'
import { InstanceAccessError } from '../../../packages/wrapper-host/src/instance/instance-access-error.ts'
import { tryLockInstance } from '../../../packages/wrapper-host/src/instance/instance-lock.ts'

// Runs in Node for Windows: claims an instance at whose address somebody listens, while its lock is held and when it is not.
const [, , folder = '', beginning = '', digits = ''] = process.argv

const place = {
  handOffAddress: beginning,
  addressFile: join(folder, 'name.address'),
  lockFile: join(folder, 'name.lock'),
  privateFolder: undefined,
}
const launch = { id: 'a'.repeat(32), argv: [], workingDirectory: folder }

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

await writeFile(place.addressFile, [beginning + digits, 'b'.repeat(64), 'c'.repeat(64)].join('\n'))
const lock = tryLockInstance(place.lockFile)
const whileHeld = await claim()
lock?.[Symbol.dispose]()
process.stdout.write(JSON.stringify({ whileHeld, whenFree: await claim() }))

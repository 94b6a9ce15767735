import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'

const source = new URL('../../src/start/instance-lock.ts', import.meta.url).href

test('[1-single-instance] a lock to which nothing refers is held after a garbage collection', async () => {
  await using folder = await temporaryFolder()
  const file = JSON.stringify(join(folder.path, 'instance.lock'))
  const usual = ['-C', '@service-link/source', '--no-warnings', '--input-type=module', '-e']
  // Another process asks: the holder would lose its lock by asking.
  const ask = `import { isLockHeld } from '${source}'; process.stdout.write(String(isLockHeld(${file})))`
  const hold = `
    import { execFileSync } from 'node:child_process'
    import { setImmediate } from 'node:timers/promises'
    import { tryLockInstance } from '${source}'
    tryLockInstance(${file})
    for (let turn = 0; turn < 5; turn++) {
      globalThis.gc()
      await setImmediate()
    }
    process.stdout.write(execFileSync(process.execPath, ${JSON.stringify([...usual, ask])}))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', ...usual, hold])
  expect(stdout).toBe('true')
})

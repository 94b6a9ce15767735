import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'

/** Free space that the tests need at most, in bytes. */
const neededBytes = 4 * 2 ** 30

/**
 * Keeps temporary files in memory until this process ends, where Linux offers enough room for them: browsers write thousands of
 * small files. Without that, or when `TMPDIR` is set, nothing changes.
 */
export function keepTemporaryFilesInMemory() {
  const shared = '/dev/shm'
  if (process.env.TMPDIR || !hasRoom(shared)) return
  const folder = mkdtempSync(`${shared}/t-`)
  // Tests start programs of other users.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}

/** Whether a folder is in memory, has the needed space, and holds programs that can be started. */
function hasRoom(folder) {
  try {
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map(line => line.split(' '))
      .find(([, place]) => place === folder)
    const [, , kind, options = ''] = mount ?? []
    const { bavail, bsize } = statfsSync(folder)
    const freeBytes = Math.min(bavail * bsize, process.availableMemory())
    return kind === 'tmpfs' && !options.split(',').includes('noexec') && freeBytes >= neededBytes
  } catch {
    return false
  }
}

// What the tests and the demo's check need from the system. On Debian and Ubuntu as root it is installed; elsewhere it is named.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Program → Debian package, and names or patterns of paths under which the program may also be found. */
const needed = [
  {
    package: 'chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'],
    variable: 'SERVICE_BROWSER',
  },
  { package: 'xvfb', programs: ['Xvfb'] },
  { package: 'openbox', programs: ['openbox'] },
  { package: 'xdotool', programs: ['xdotool'] },
  // A notification area, what an icon is announced over, and the library that the icon's program needs.
  { package: 'trayer', programs: ['trayer'] },
  { package: 'dbus-daemon', programs: ['dbus-daemon'] },
  {
    package: 'libayatana-appindicator3-1',
    programs: [],
    paths: ['/usr/lib/*/libayatana-appindicator3.so.1', '/usr/lib64/libayatana-appindicator3.so.1'],
  },
  { package: 'postgresql', programs: ['postgres'], paths: ['/usr/lib/postgresql/*/bin/postgres'] },
  // Compilers and interpreters of the examples in other languages. mono-mcs brings every assembly that they need.
  { package: 'mono-mcs', programs: ['mcs'] },
  { package: 'mono-runtime', programs: ['mono'] },
  { package: 'gcc', programs: ['gcc'] },
  { package: 'libc6-dev', programs: [], paths: ['/usr/include/stdio.h', '/usr/include/*/stdio.h'] },
  { package: 'python3', programs: ['python3'] },
  // Shells in which the completion of service-pipe is tried; bash is always there.
  { package: 'zsh', programs: ['zsh'] },
  { package: 'fish', programs: ['fish'] },
]

/** Keeps the package of PostgreSQL from making and starting a cluster of its own: the tests start theirs. */
const clusterSettings = {
  folder: '/etc/postgresql-common',
  name: 'createcluster.conf',
  content: 'create_main_cluster = false\n',
}

/**
 * Installs what is missing where that is possible, and says so on standard error.
 *
 * @returns the packages that are still missing
 */
export function ensureSystemPackages() {
  if (process.platform !== 'linux') return []
  const missing = findMissing()
  if (missing.length === 0) return []
  const names = missing.map(entry => entry.package)
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) {
    console.error(`Not installed here: ${names.join(', ')}. Tests that need them are skipped.`)
    return names
  }
  console.error(`Installing from the system's packages: ${names.join(', ')} …`)
  if (names.includes('postgresql')) forbidCluster()
  // The second keeps the file of settings that was written before the package came.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' }
  const options = ['-qq', '-o', 'Acquire::Retries=5', '-o', 'DPkg::Lock::Timeout=300']
  const run = (...args) =>
    spawnSync('apt-get', [...options, ...args], { env, stdio: ['ignore', 2, 2] }).status === 0
  const install = () => {
    // Installed even when one of the lists could not be fetched: it may be one that none of these packages is in.
    run('update')
    return run('install', '-y', '--no-install-recommends', ...names, 'fonts-dejavu-core', 'procps')
  }
  // A mirror that does not answer or is being renewed fails now and again.
  if (!install() && !install() && !install()) console.error('The installation failed; see above.')
  return findMissing().map(entry => entry.package)
}

function forbidCluster() {
  const { folder, name, content } = clusterSettings
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), content)
}

function findMissing() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return needed.filter(
    ({ programs, paths = [], variable }) =>
      !(variable && process.env[variable]) &&
      globSync(paths).length === 0 &&
      !programs.some(program => folders.some(folder => existsSync(join(folder, program)))),
  )
}

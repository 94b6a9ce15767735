// What the tests, the demo's check and the tests on Windows need from the system. On Debian and Ubuntu as root it is installed; elsewhere it is named.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * @typedef {object} Needed A package of Debian's, and the programs or patterns of paths by one of which it is found to be there.
 * @property {string} package
 * @property {readonly string[]} programs
 * @property {readonly string[]} [paths]
 * @property {string} [variable] names the program in its place
 */

/** @type {Needed} */
const browser = {
  package: 'chromium',
  programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'],
  variable: 'SERVICE_BROWSER',
}

/** @type {readonly Needed[]} What the tests and the demo's check need. */
const neededByTests = [
  browser,
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
  // What makes and signs an installer.
  { package: 'wixl', programs: ['wixl'] },
  { package: 'msitools', programs: ['msibuild'] },
  { package: 'osslsigncode', programs: ['osslsigncode'] },
]

/**
 * @type {readonly Needed[]} What the tests on Windows need: Wine, a compiler for Windows, what makes, reads and signs installers, and
 *   the browser of the wrapper's windows.
 */
export const neededByWindows = [
  { package: 'wine', programs: ['wine'] },
  { package: 'wine64', programs: [], paths: ['/usr/lib/wine/wine64', '/opt/wine*/bin/wine64'] },
  { package: 'gcc-mingw-w64-x86-64-win32', programs: ['x86_64-w64-mingw32-gcc'] },
  { package: 'wixl', programs: ['wixl'] },
  { package: 'msitools', programs: ['msiinfo'] },
  { package: 'osslsigncode', programs: ['osslsigncode'] },
  browser,
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
export function ensureSystemPackages(needed = neededByTests) {
  if (process.platform !== 'linux') return []
  const missing = findMissing(needed)
  if (missing.length === 0) return []
  const names = missing.map(entry => entry.package)
  if (!canInstall()) {
    console.error(`Not installed here: ${names.join(', ')}. Tests that need them are skipped.`)
    return names
  }
  console.error(`Installing from the system's packages: ${names.join(', ')} …`)
  if (names.includes('postgresql')) forbidCluster()
  const install = () => {
    // Installed even when one of the lists could not be fetched: it may be one that none of these packages is in.
    apt('update')
    return apt('install', ...names, 'fonts-dejavu-core', 'procps')
  }
  // A mirror that does not answer or is being renewed fails now and again.
  if (!install() && !install() && !install()) console.error('The installation failed; see above.')
  return findMissing(needed).map(entry => entry.package)
}

/** Whether packages can be installed here: as root on Debian or Ubuntu. */
export function canInstall() {
  return existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
}

/** Whether packages are to be had: whether all of each can be fetched. */
export function areToBeHad(names) {
  return apt('install', '--download-only', ...names)
}

function apt(command, ...args) {
  // The second keeps the file of settings that was written before the package came.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' }
  const options = ['-qq', '-y', '--no-install-recommends']
  const settings = ['-o', 'Acquire::Retries=5', '-o', 'DPkg::Lock::Timeout=300']
  const argv = [...options, ...settings, command, ...args]
  return spawnSync('apt-get', argv, { env, stdio: ['ignore', 2, 2] }).status === 0
}

function forbidCluster() {
  const { folder, name, content } = clusterSettings
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), content)
}

function findMissing(needed) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return needed.filter(
    ({ programs, paths = [], variable }) =>
      !(variable && process.env[variable]) &&
      globSync(paths).length === 0 &&
      !programs.some(program => folders.some(folder => existsSync(join(folder, program)))),
  )
}

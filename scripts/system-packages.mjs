// System packages of the tests and the demo. Root on Debian or Ubuntu installs them; elsewhere they are listed.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Needed A package of Debian. It is installed if one of its programs or paths is found.
 * @property {string} package
 * @property {readonly string[]} programs
 * @property {readonly string[]} [paths]
 * @property {string} [variable] names the program instead
 */

/** @type {Needed} */
const browser = {
  package: 'chromium',
  programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'],
  variable: 'SERVICE_BROWSER',
}

/** @type {Needed} Compiles programs for Windows, such as the launcher of packed wrappers. */
const windowsCompiler = { package: 'gcc-mingw-w64-x86-64-win32', programs: ['x86_64-w64-mingw32-gcc'] }

/** @type {readonly Needed[]} What the demo needs. */
export const neededByDemo = [browser]

/** @type {readonly Needed[]} What the demo's check needs: also a screen of its own. */
export const neededByDemoCheck = [
  browser,
  { package: 'xvfb', programs: ['Xvfb'] },
  { package: 'openbox', programs: ['openbox'] },
  { package: 'xdotool', programs: ['xdotool'] },
]

/** @type {readonly Needed[]} What the tests need. */
export const neededByTests = [
  ...neededByDemoCheck,
  // A message box of the desktop.
  { package: 'x11-utils', programs: ['xmessage'] },
  // A notification area, D-Bus for the icon, and the library of the icon's program.
  { package: 'trayer', programs: ['trayer'] },
  { package: 'dbus-daemon', programs: ['dbus-daemon'] },
  {
    package: 'libayatana-appindicator3-1',
    programs: [],
    paths: ['/usr/lib/*/libayatana-appindicator3.so.1', '/usr/lib64/libayatana-appindicator3.so.1'],
  },
  { package: 'postgresql', programs: ['postgres'], paths: ['/usr/lib/postgresql/*/bin/postgres'] },
  // Compilers and interpreters of the examples in other languages, and of the launcher. mono-mcs brings most assemblies that they need.
  { package: 'mono-mcs', programs: ['mcs'] },
  { package: 'mono-runtime', programs: ['mono'] },
  { package: 'gcc', programs: ['gcc'] },
  { package: 'libc6-dev', programs: [], paths: ['/usr/include/stdio.h', '/usr/include/*/stdio.h'] },
  { package: 'musl-tools', programs: ['musl-gcc'] },
  windowsCompiler,
  {
    package: 'libmono-system-net-http4.0-cil',
    programs: [],
    paths: ['/usr/lib/mono/4.5/System.Net.Http.dll'],
  },
  {
    package: 'libmono-system-runtime-serialization4.0-cil',
    programs: [],
    paths: ['/usr/lib/mono/4.5/System.Runtime.Serialization.dll'],
  },
  { package: 'python3', programs: ['python3'] },
  {
    package: 'python3-cryptography',
    programs: [],
    paths: ['/usr/lib/python3/dist-packages/cryptography/__init__.py'],
  },
  { package: 'python3-jwt', programs: [], paths: ['/usr/lib/python3/dist-packages/jwt/__init__.py'] },
  // Disk space with what they bring: Java 266 MB, Free Pascal in Delphi mode 63 MB, PHP 15 MB, the library with which Pascal signs 12 MB.
  { package: 'default-jdk-headless', programs: ['javac'] },
  { package: 'fp-compiler', programs: ['fpc'] },
  { package: 'libssl-dev', programs: [], paths: ['/usr/lib/*/libcrypto.so', '/usr/lib64/libcrypto.so'] },
  { package: 'php-cli', programs: ['php'] },
  // Decides whether XML is well-formed.
  { package: 'libxml2-utils', programs: ['xmllint'] },
  // Make and sign an installer.
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
  windowsCompiler,
  { package: 'wixl', programs: ['wixl'] },
  { package: 'msitools', programs: ['msiinfo'] },
  { package: 'osslsigncode', programs: ['osslsigncode'] },
  browser,
]

/** Installed with the others: fonts for pages, and tools with which tests count processes. */
const companions = ['fonts-dejavu-core', 'procps']

/** Installed with the others where the release has it: the browser without windows, for quicker tests. */
const quickBrowser = '?exact-name(chromium-headless-shell)'

/** Argument against installing and asking. */
export const noInstall = '--no-install'

/**
 * @typedef {object} Purpose
 * @property {string} who needs the packages
 * @property {string} without what happens without them
 * @property {string} answerFile the file with the answer from the terminal: `yes` or `no`
 */

/** @type {Purpose} */
const tests = {
  who: 'The tests need',
  without: 'Tests that need them are skipped.',
  answerFile: fileURLToPath(new URL('../.data/system-packages', import.meta.url)),
}

/**
 * Installs missing packages if possible and allowed, and reports it on standard error. On a terminal it asks once for each checkout.
 * Without one, as in a container, it installs without asking, so that one command tests a fresh machine.
 *
 * @returns the packages that are still missing, and whether it tried to install them
 */
export function ensureSystemPackages(needed = neededByTests, purpose = tests) {
  const missing = process.platform === 'linux' ? namesOf(findMissing(needed)) : []
  if (missing.length === 0) return { missing, isTried: false }
  const reason = whyNotInstall(missing, purpose)
  if (reason !== undefined) {
    console.error(`Not installed here: ${missing.join(', ')}. ${purpose.without} ${reason}`.trim())
    return { missing, isTried: false }
  }
  const names = [...missing, ...companions]
  console.error(`Installing from the system's packages: ${names.join(', ')} …`)
  const install = () => {
    // Goes on after a failure: the list that failed may be one without these packages.
    apt('update')
    return apt('install', ...names, quickBrowser)
  }
  // Mirrors fail at times, such as during their own update.
  if (!install() && !install() && !install()) console.error('The installation failed; see above.')
  return { missing: namesOf(findMissing(needed)), isTried: true }
}

/** Whether all packages can be fetched. */
export function areToBeHad(names) {
  return apt('install', '--download-only', ...names)
}

/** Why they may not be installed, as a sentence; `undefined` when they may. */
function whyNotInstall(missing, { who, without, answerFile }) {
  if (!canInstall()) return process.argv.includes(noInstall) ? `${noInstall} forbids it.` : ''
  return whyNot(
    `${who} packages of the system that are missing: ${[...missing, ...companions].join(', ')}.\n` +
      `${without} apt-get installs them as root, with all that they bring.\nInstall them now?`,
    answerFile,
  )
}

/** Whether this process may install system packages. */
export function canInstall() {
  return !process.argv.includes(noInstall) && isOnPath('apt-get') && process.getuid?.() === 0
}

/**
 * Asks on the terminal, once: the answer is kept. Without a terminal the answer is yes.
 *
 * @param {string} question
 * @param {string} answerFile
 * @returns the reason against it, as a sentence; `undefined` for yes
 */
export function whyNot(question, answerFile) {
  const kept = existsSync(answerFile) ? readFileSync(answerFile, 'utf8').trim() : undefined
  const answer = kept ?? ask(question, answerFile)
  if (answer === 'yes') return undefined
  if (answer === 'no') return `That was the answer before: delete ${answerFile} to be asked again.`
  return 'Nobody has answered.'
}

/** @returns `yes` or `no`; `undefined` without an answer */
function ask(question, answerFile) {
  // In CI nobody could answer.
  if (!isatty(0) || !isatty(2) || process.env.CI) return 'yes'
  process.stderr.write(`${question} It is asked once. [y/N] `)
  const line = readLine()
  if (line === undefined) return undefined
  const answer = /^y(es)?$/i.test(line.trim()) ? 'yes' : 'no'
  mkdirSync(dirname(answerFile), { recursive: true })
  writeFileSync(answerFile, `${answer}\n`)
  return answer
}

/** A line from the terminal; `undefined` when it ends first. */
function readLine() {
  const buffer = Buffer.alloc(1024)
  try {
    const length = readSync(0, buffer)
    return length === 0 ? undefined : buffer.toString('utf8', 0, length)
  } catch {
    return undefined
  }
}

/**
 * Runs apt-get. PostgreSQL's package would start a server now and at each boot; a temporary settings folder disables that, because
 * the tests start their own servers.
 */
function apt(command, ...args) {
  const settings = mkdtempSync(join(tmpdir(), 'service-link-cluster-'))
  try {
    writeFileSync(join(settings, 'createcluster.conf'), "start_conf = 'disabled'\n")
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', PGSYSCONFDIR: settings }
    const options = ['-qq', '-y', '--no-install-recommends']
    const waits = ['-o', 'Acquire::Retries=5', '-o', 'DPkg::Lock::Timeout=300']
    const argv = [...options, ...waits, command, ...args]
    return spawnSync('apt-get', argv, { env, stdio: ['ignore', 2, 2] }).status === 0
  } finally {
    rmSync(settings, { recursive: true, force: true })
  }
}

function namesOf(needed) {
  return needed.map(entry => entry.package)
}

function findMissing(needed) {
  return needed.filter(
    ({ programs, paths = [], variable }) =>
      !(variable && process.env[variable]) && globSync(paths).length === 0 && !programs.some(isOnPath),
  )
}

function isOnPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.some(folder => existsSync(join(folder, program)))
}

// A browser for the demo on a machine without one: from the system's packages, the npm registry or Playwright's download.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { chromium } from 'playwright-core'
import { createChromiumEngine } from '../packages/window-engine/src/index.ts'
import {
  canInstall,
  ensureSystemPackages,
  neededByDemo,
  neededByDemoCheck,
  noInstall,
  whyNot,
} from './system-packages.mjs'

/** A headless Chromium that an npm package carries, with its libraries and a font, for Linux with glibc 2.34 or newer. */
const carried = {
  package: '@sparticuz/chromium',
  version: '153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
  megabytes: 70,
}

/** Folder of this user that the next start searches. */
const cache = join(cacheRoot(), 'service-link')

/** The name tells the demo that this browser draws no windows. */
const carriedProgram = join(cache, `chromium-${carried.version}`, 'chromium-headless-shell')

function cacheRoot() {
  if (process.platform === 'win32') return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  return process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
}

/**
 * Finds a browser for the demo, or gets one if possible and allowed; reports it on standard error. On a terminal it
 * asks once for each user.
 *
 * @param {{readonly isCheck: boolean}} options `isCheck`: also gets the screen of the demo's check
 * @returns {Promise<string | undefined>} the browser that was fetched; `undefined` if one is installed, or there is none
 */
export async function ensureBrowser({ isCheck }) {
  const answerFile = join(cache, 'get-browser')
  const needed = isCheck ? neededByDemoCheck : neededByDemo
  const purpose = { who: 'The demo needs', without: 'The demo shows less without them.', answerFile }
  if (canInstall()) ensureSystemPackages(needed, purpose)
  if ((await createChromiumEngine({ isHeadless: true }).probe(undefined, { isDescribed: false })).isAvailable)
    return undefined
  const sources = sourcesHere()
  const kept = sources.find(({ program }) => existsSync(program))
  if (kept) return kept.program
  const names = sources.map(({ name }) => name).join(', else ')
  const reason = process.argv.includes(noInstall)
    ? `${noInstall} forbids it.`
    : whyNot(`The demo needs a browser: Chromium, Chrome or Edge. Fetch ${names} into ${cache}?`, answerFile)
  if (reason !== undefined) {
    console.error(`No browser is installed, and none is fetched. ${reason}`)
    return undefined
  }
  for (const { name, program, fetchIt } of sources) {
    console.error(`Fetching ${name} into ${dirname(program)} …`)
    try {
      await fetchIt()
      await makeSureItRuns(program)
      return program
    } catch (error) {
      console.error(
        `It cannot be used. ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
      )
    }
  }
  return undefined
}

/** The sources for this machine; the first one with windows, if there is a screen for them. */
function sourcesHere() {
  const fromRegistry = {
    name: `Chromium ${carried.version}, without windows, from the npm registry (${carried.megabytes} MB)`,
    program: carriedProgram,
    fetchIt: fetchCarried,
  }
  const fromPlaywright = {
    name: 'Chromium from Playwright’s download (170 MB)',
    program: chromium.executablePath(),
    fetchIt: fetchFromPlaywright,
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') return [fromPlaywright]
  const hasScreen = Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
  return hasScreen ? [fromPlaywright, fromRegistry] : [fromRegistry, fromPlaywright]
}

async function fetchFromPlaywright() {
  const cli = fileURLToPath(new URL('cli.js', import.meta.resolve('playwright-core')))
  run(process.execPath, [cli, 'install', '--no-shell', 'chromium'])
}

async function fetchCarried() {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'unfinished-'))
  try {
    const pack = ['pack', `${carried.package}@${carried.version}`, '--silent', `--pack-destination=${folder}`]
    // npm prints the name of the file.
    run('npm', pack, 'ignore')
    const [archive = ''] = globSync(join(folder, '*.tgz'))
    const digest = createHash('sha512').update(readFileSync(archive)).digest('base64')
    if (`sha512-${digest}` !== carried.integrity) throw new Error('The package is not the expected one.')
    run('tar', ['-xzf', archive, '-C', folder])
    const unpack = async (name, target) => {
      const file = join(folder, 'package', 'bin', `${name}.br`)
      await pipeline(
        createReadStream(file),
        createBrotliDecompress(),
        createWriteStream(join(folder, target)),
      )
      if (target.endsWith('.tar')) run('tar', ['-xf', join(folder, target), '-C', folder])
    }
    await unpack('chromium', 'chromium')
    for (const name of ['al2023.tar', 'swiftshader.tar', 'fonts.tar']) await unpack(name, name)
    for (const name of ['package', ...globSync('*.{tar,tgz}', { cwd: folder })])
      rmSync(join(folder, name), { recursive: true })
    chmodSync(join(folder, 'chromium'), 0o755)
    writeFileSync(join(folder, 'fonts.conf'), fontSettings)
    writeStartScript(join(folder, 'chromium-headless-shell'))
    rmSync(dirname(carriedProgram), { recursive: true, force: true })
    renameSync(folder, dirname(carriedProgram))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The system's fonts, else the one of the package. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** The browser finds its libraries and fonts by variables. */
function writeStartScript(file, flags = '') {
  const lines = [
    '#!/bin/sh',
    'here=$(dirname "$(readlink -f "$0")")',
    'export LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf"',
    `exec "$here/chromium" ${flags} "$@"`,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  chmodSync(file, 0o755)
}

/** Opens a page. Where the system forbids the sandbox to users, the demo's browser goes without: it opens only the demo's pages. */
async function makeSureItRuns(program) {
  const open = async chromiumSandbox => {
    const browser = await chromium.launch({ executablePath: program, chromiumSandbox, timeout: 60_000 })
    await browser.close()
  }
  const isRoot = process.getuid?.() === 0
  try {
    await open(!isRoot)
  } catch (error) {
    if (isRoot || program !== carriedProgram) throw error
    await open(false)
    console.error(
      'This system gives browsers no sandbox. The demo opens its own pages only, so it goes without.',
    )
    writeStartScript(program, '--no-sandbox')
  }
}

function run(program, args, output = 2) {
  const { status } = spawnSync(program, args, { stdio: ['ignore', output, 2] })
  if (status !== 0) throw new Error(`${program} ${args[0]} failed; see above.`)
}

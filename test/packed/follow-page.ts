import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { folder as packedFolder } from './packed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A page that was followed to its end. The programs that it started run until this is disposed. */
export interface Followed extends AsyncDisposable {
  /** The free port that took the place of a port of the page. */
  readonly portOf: (port: number) => number
  /** Runs lines of a shell in the page's folder, and resolves with what they print. */
  readonly shell: (lines: string) => Promise<string>
}

/**
 * Does what a page says, from an empty folder, as its reader does: writes each block that has a file's name, and runs each block
 * of a shell, in order. A block of text after one must be printed, line by line (`…`: anything); the program may run on.
 *
 * @param path from the repository's root
 * @param ports those at which the page's programs listen: free ones take their places
 * @param chosen languages of the page's tabs that are followed; others are left out
 */
export async function followPage(
  path: string,
  ports: readonly number[] = [],
  chosen: readonly string[] = [],
): Promise<Followed> {
  const folder = await mkdtemp(join(tmpdir(), 'start-'))
  const project = join(folder, 'project')
  const free = new Map(await Promise.all(ports.map(async port => [port, await freePort()] as const)))
  const env = await prepare(folder, free)
  const running: Running[] = []
  const start = (lines: string) => {
    const started = runShell(lines, project, env)
    running.push(started)
    return started
  }
  const end = async () => {
    for (const { stop } of running) await stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    let text = readFileSync(join(root, path), 'utf8')
    for (const [port, place] of free) text = text.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), `${place}`)
    const blocks = blocksOf(text).filter(
      ({ label }) => label === '' || label.includes('.') || chosen.includes(label),
    )
    for (const [index, { language, label, code }] of blocks.entries()) {
      if (label.includes('.')) await writeFile(join(project, label), code)
      else if (language === 'sh') {
        const next = blocks[index + 1]
        if (next?.language === 'text') await start(code).prints(next.code)
        else await start(code).ends()
      }
    }
  } catch (error) {
    await end()
    throw error
  }
  return {
    portOf: port => free.get(port) ?? port,
    shell: lines => start(lines).ends(),
    [Symbol.asyncDispose]: end,
  }
}

/** Blocks in order. A label is a file's name, or the language of a tab. */
function blocksOf(text: string) {
  return [...text.matchAll(/^```(\w+)(?: \[(.+)\])?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', label = '', code = '']) => ({ language, label, code }),
  )
}

/**
 * What a reader's machine has that this one lacks, as programs in front of the PATH: the registry with our packages, whose place
 * the packed project takes, and the repository's address, whose place this working tree takes.
 */
async function prepare(folder: string, free: ReadonlyMap<number, number>): Promise<NodeJS.ProcessEnv> {
  const programs = join(folder, 'bin')
  await mkdir(join(folder, 'project'))
  await mkdir(programs)
  const node = dirname(process.execPath)
  const installed = join(packedFolder, 'node_modules')
  const shims = {
    npm: `case "$1 $*" in *@service-link/*) ;; *) PATH="\${PATH#*:}" exec npm "$@" ;; esac
shift
mkdir -p node_modules/@service-link node_modules/.bin
for name; do
  case $name in --*) continue ;; esac
  test -d "${installed}/$name" || { echo "$name is not packed" >&2; exit 1; }
  ln -sfn "${installed}/$name" "node_modules/$name"
done
ln -sfn "${installed}"/.bin/service-* node_modules/.bin`,
    git: `test "$1" = clone && exec ln -s "${root.replace(/\/$/, '')}" service-link`,
  }
  for (const [name, script] of Object.entries(shims)) {
    await writeFile(join(programs, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(programs, name), 0o755)
  }
  const { PATH, HOME, TMPDIR, XDG_CACHE_HOME } = process.env
  const [service] = free.values()
  return {
    ...{ HOME, TMPDIR, XDG_CACHE_HOME, PATH: `${programs}:${node}:${PATH}` },
    ...{ PORT: `${service}`, SERVICE_DATA: join(folder, 'data'), XDG_DATA_HOME: join(folder, 'user') },
  }
}

interface Running {
  /** Resolves once the lines were printed in this order. */
  readonly prints: (lines: string) => Promise<void>
  /** Resolves with what was printed, at the end with exit code 0. */
  readonly ends: () => Promise<string>
  readonly stop: () => Promise<void>
}

function runShell(lines: string, cwd: string, env: NodeJS.ProcessEnv): Running {
  const child = spawn('sh', ['-ec', lines], { cwd, env, detached: true, stdio: 'pipe' })
  const ended = once(child, 'close').then(([code]) => Number(code))
  let printed = ''
  let onOutput = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      printed += text
      onOutput()
    })
  const failed = (why: string) => new Error(`${why}\n${lines}\n${printed}`)
  return {
    prints: async expected => {
      const isThere = () => patternOf(expected).test(printed)
      const told = new Promise<void>(resolve => {
        onOutput = () => isThere() && resolve()
        onOutput()
      })
      const late = delay(180_000, 'Nothing after three minutes', { ref: false })
      const why = await Promise.race([told, ended, late])
      if (!isThere()) throw failed(`${why}: not printed:\n${expected}`)
    },
    ends: async () => {
      const code = await ended
      if (code !== 0) throw failed(`Ended with ${code}.`)
      return printed
    },
    stop: async () => {
      // Its programs, too, in whichever folder they run.
      if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}

const patternOf = (expected: string) =>
  new RegExp(
    expected
      .trimEnd()
      .split('\n')
      .map(line =>
        line
          .split('…')
          .map(part => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
          .join('.*'),
      )
      .join('[^]*'),
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  return port
}

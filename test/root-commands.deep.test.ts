import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const commands = [
  ['service', [], 'Demo account:'],
  [
    'demo',
    ['--no-wrapper', ...['service', 'partner', 'e-id', 'home'].map(name => `--${name}-port=0`)],
    'Ctrl+C',
  ],
] as const

describe.skipIf(process.platform === 'win32')('all processes of a root command end', () => {
  test.each(
    commands.flatMap(([name, args, ready]) =>
      (['SIGTERM', 'SIGINT'] as const).map(signal => ({ name, args, ready, signal })),
    ),
  )(
    'npm run $name, at $signal to any of them, and to all',
    async ({ name, args, ready, signal }) => {
      let count = 1
      // The last one is their group, as of a terminal.
      for (let place = 0; place <= count; place++) {
        await using running = await start(name, args, ready)
        const { pids, group } = running
        count = pids.length
        process.kill(place < count ? (pids[place] ?? 0) : -group, signal)
        await running.end
        await expect.poll(() => pids.filter(isRunning), { timeout: 30_000 }).toEqual([])
      }
      // npm, what starts the program, and the program.
      expect(count).toBeGreaterThanOrEqual(3)
    },
    240_000,
  )
})

async function start(name: string, args: readonly string[], ready: string) {
  const data = await mkdtemp(join(tmpdir(), 'root-command-'))
  const child = spawn('npm', ['run', name, '--', ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', SERVICE_DATA: data, TMPDIR: data },
  })
  const end = once(child, 'close')
  await said(child, ready)
  const group = child.pid ?? 0
  return {
    group,
    pids: treeOf(group),
    end,
    [Symbol.asyncDispose]: async () => {
      for (const pid of treeOf(group)) process.kill(pid, 'SIGKILL')
      await end
      await rm(data, { recursive: true, force: true })
    },
  }
}

async function said({ stdout, stderr }: ChildProcess, ready: string): Promise<void> {
  let text = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => (text += part))
  while (!text.includes(ready)) await delay(50)
}

/** A process and those that it has started, parents first. */
function treeOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  const all = lines.map(line => line.trim().split(/\s+/)).filter(([, , state]) => !state?.startsWith('Z'))
  const below = (parent: number): number[] => [
    parent,
    ...all.filter(([, of]) => Number(of) === parent).flatMap(([one]) => below(Number(one))),
  ]
  return all.some(([one]) => Number(one) === pid) ? below(pid) : []
}

function isRunning(pid: number): boolean {
  return treeOf(pid).length > 0
}

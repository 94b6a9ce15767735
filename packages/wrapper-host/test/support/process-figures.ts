import { readdir, readFile } from 'node:fs/promises'

/** Memory and handles of processes. */
export interface ProcessFigures {
  /** Private memory in MiB, without files, which processes of the same program share. */
  readonly memoryMiB: number
  /** Open files, sockets and pipes. */
  readonly handles: number
  readonly processes: number
}

/** Adds up the figures of processes. A process that has ended counts as nothing. Linux only. */
export async function figuresOf(pids: readonly number[]): Promise<ProcessFigures> {
  const each = await Promise.all(pids.map(pid => readFigures(pid)))
  const found = each.filter(figures => figures !== undefined)
  const sum = (name: 'memoryKiB' | 'handles') => found.reduce((total, figures) => total + figures[name], 0)
  return {
    memoryMiB: Math.round(sum('memoryKiB') / 1024),
    handles: sum('handles'),
    processes: found.length,
  }
}

async function readFigures(pid: number) {
  try {
    const [rollup, handles] = await Promise.all([
      readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
      readdir(`/proc/${pid}/fd`),
    ])
    return { memoryKiB: Number(/^Pss_Anon:\s+(\d+)/m.exec(rollup)?.[1]), handles: handles.length }
  } catch {
    return undefined
  }
}

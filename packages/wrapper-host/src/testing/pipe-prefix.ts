import { threadId } from 'node:worker_threads'

const taken = new Set<string>()

/** A pipe prefix that no other test wrapper of this process has. */
export interface PipePrefix extends Disposable {
  readonly prefix: string
}

/**
 * Takes a prefix for a pipe. There is one pipe a prefix and process: the first test wrapper of a process has the brand's own, so
 * that a client finds it by the process id alone; others that run at the same time get a number behind it, and those of worker
 * threads their thread's.
 */
export function takePipePrefix(brandPrefix: string): PipePrefix {
  // A prefix has room for 32 characters.
  const base = threadId === 0 ? brandPrefix : `${brandPrefix.slice(0, 22)}_t${threadId}`
  let prefix = base
  for (let number = 2; taken.has(prefix); number++) prefix = `${base.slice(0, 27)}_${number}`
  taken.add(prefix)
  return { prefix, [Symbol.dispose]: () => void taken.delete(prefix) }
}

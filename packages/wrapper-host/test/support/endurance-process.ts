// A wrapper like the executable's, but its page may crash far more often, so that a day of faults fits into minutes.
import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { RestartPace } from '../../src/web-app/watch-page.ts'
import { OccurrenceLimit } from '../../src/window/recovery-limits.ts'

// Garbage is collected before each measurement, so only kept memory counts.
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
process.on('SIGUSR2', () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  process.stderr.write(`Keeps ${heapUsed + external} bytes.\n`)
})

const ending = new AbortController()
process.once('SIGTERM', () => ending.abort())

OccurrenceLimit.prototype.isReachedByOneMore = () => false
RestartPace.prototype.noteFault = () => 0

const start = await createWrapper({
  onNotice: sentence => void process.stderr.write(`${sentence}\n`),
}).start(
  { id: randomUUID(), argv: process.argv.slice(2), workingDirectory: process.cwd() },
  { signal: ending.signal },
)
if (start.role !== 'wrapper') throw new Error('A wrapper runs in folders that are new.')
const { wrapper } = start
ending.signal.addEventListener('abort', () => void wrapper.close(), { once: true })
if (ending.signal.aborted) void wrapper.close()
process.stderr.write('The wrapper runs.\n')
await wrapper.closed

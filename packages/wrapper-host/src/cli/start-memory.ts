import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How long the web app has to load after the start, in milliseconds. */
const loadingMs = 1000

/** V8's compilers of often called functions. They take 4 MB, in a start for a few functions that little calls later. */
const compilers = ['opt', 'maglev', 'sparkplug']

/**
 * Keeps the start from taking memory for good: a wrapper waits most of its life. Call it before the wrapper's modules load.
 *
 * @returns call it once the window is open
 */
export function spareStart(): () => void {
  // Else the start's garbage would make V8's young generation 7 MB.
  setFlagsFromString('--semi-space-growth-factor=1')
  for (const compiler of compilers) setFlagsFromString(`--no-${compiler}`)
  return () => void setTimeout(endStart, loadingMs).unref()
}

/** Gives back the start's garbage, and the code that V8 can compile again. */
function endStart(): void {
  for (const compiler of compilers) setFlagsFromString(`--${compiler}`)
  setFlagsFromString('--expose-gc')
  setFlagsFromString('--stress-flush-code')
  const collectGarbage: (options: object) => void = runInNewContext('gc')
  collectGarbage({ type: 'major', flavor: 'last-resort' })
  setFlagsFromString('--no-stress-flush-code')
}

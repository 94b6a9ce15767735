import type { Engine } from '../window/engine.ts'
import { type MemorySession, MemoryWindow } from './memory-window.ts'
import type { MemoryWorld } from './memory-world.ts'

/** An engine whose windows are in memory, and the last of them. */
export interface MemoryEngine extends Engine {
  readonly window: MemoryWindow | undefined
}

/**
 * An engine that draws nothing and loads nothing: its documents are objects in which the page script runs, and the web app in
 * them is the world's.
 *
 * @param session what the first window's session begins with; later ones begin signed out, as after a crash of a browser
 */
export function createMemoryEngine(world: MemoryWorld, session: MemorySession): MemoryEngine {
  const name = 'Memory'
  let next = session
  let window: MemoryWindow | undefined
  return {
    name,
    get window() {
      return window
    },
    probe: async () => ({ isAvailable: true, description: 'A web app in memory' }),
    async open(options) {
      options.signal?.throwIfAborted()
      const opened = new MemoryWindow(name, options, world, next)
      next = { isSignedIn: false }
      window = opened
      // Nobody can have added a listener before this function returns.
      setImmediate(() => opened.load(options.url))
      return opened
    },
  }
}

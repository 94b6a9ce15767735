import type { Engine } from '@service-link/window-engine'
import { type MemorySession, MemoryWindow } from './memory-window.ts'
import type { MemoryWorld } from './memory-world.ts'

/** An engine whose windows are in memory, and the last of them. */
export interface MemoryEngine extends Engine {
  readonly window: MemoryWindow | undefined
}

/** Options of {@link createMemoryEngine}. */
export interface MemoryEngineOptions {
  /** Whether a window finds what the one before has left in its profile; not with cookies of a session, which end with a browser. */
  readonly keepsSession?: boolean
}

/**
 * An engine that draws nothing and loads nothing: its documents are objects in which the page script runs, and the web app in
 * them is the world's.
 *
 * @param session what the first window's session begins with; as in a browser, a profile keeps it for the windows to come
 */
export function createMemoryEngine(
  world: MemoryWorld,
  session: MemorySession,
  { keepsSession = true }: MemoryEngineOptions = {},
): MemoryEngine {
  const name = 'Memory'
  const sessions = new Map<string, MemorySession>()
  let first: MemorySession | undefined = session
  let window: MemoryWindow | undefined
  return {
    name,
    get window() {
      return window
    },
    probe: async () => ({ isAvailable: true, description: 'A web app in memory' }),
    async open(options) {
      options.signal?.throwIfAborted()
      const { profileFolder, isSessionForgotten = false } = options
      const kept = keepsSession && !isSessionForgotten ? sessions.get(profileFolder) : undefined
      const next = first ?? kept ?? { isSignedIn: false }
      first = undefined
      sessions.set(profileFolder, next)
      const opened = new MemoryWindow(name, options, world, next)
      window = opened
      // Nobody can have added a listener before this function returns.
      setImmediate(() => opened.load(options.url))
      return opened
    },
  }
}

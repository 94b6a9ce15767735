import type { Engine, EngineEvents, EngineWindow, JsonValue } from '@service-link/wrapper-host'

/** Answers one call of the host, as the page's handler of that name. */
export type AnswerCall = (handler: string, args: JsonValue) => JsonValue

/** An integrator's engine without a window: its page is in this process, signed in, and answers at once. */
export function memoryEngine(answer: AnswerCall): Engine {
  return {
    name: 'Memory',
    probe: async () => ({ isAvailable: true, description: 'A page in memory' }),
    open: async ({ url }) => openMemoryWindow(new URL(url).origin, answer),
  }
}

const handlers = [
  'selectPerson',
  'queryExercises',
  'queryWorkouts',
  'openWorkout',
  'getWorkoutsForClient',
  'getListOfUsers',
  'setCustomId',
]

function openMemoryWindow(origin: string, answer: AnswerCall): EngineWindow {
  const listeners = new Set<(event: EngineEvents['message']) => void>()
  const close = async () => undefined
  return {
    async call(value) {
      if (isCall(value)) return { type: 'result', value: answer(value.handler, value.args) }
      if (isIntroduction(value))
        for (const listener of listeners)
          listener({ origin, value: { type: 'hello', protocol: 1, handlers, isSignedIn: true } })
      return null
    },
    on(name, listener) {
      if (name !== 'message') return () => undefined
      const told = (event: EngineEvents['message']) => listener(event as EngineEvents[typeof name])
      listeners.add(told)
      return () => listeners.delete(told)
    },
    navigate: close,
    reload: close,
    minimise: close,
    show: close,
    windowState: async () => 'normal',
    setMinimiseOnClose: () => undefined,
    saveSession: async () => ({ engine: 'Memory', data: null }),
    restoreSession: close,
    clearSession: close,
    post: async () => ({ status: 200 }),
    ping: close,
    restartPage: close,
    canReach: async () => true,
    showOwnPage: close,
    setNotice: close,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function isCall(value: JsonValue): value is { type: 'call'; handler: string; args: JsonValue } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'call'
}

function isIntroduction(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'introduce'
}

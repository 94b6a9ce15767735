import { defineBrand } from '@service-link/protocol-core/brand'
import type { Engine, EngineEvents, EngineWindow, JsonValue } from '@service-link/window-engine'
import { createWrapper } from '@service-link/wrapper-host'
import { listUsers } from './users.ts'

type AnswerCall = (handler: string, args: JsonValue) => JsonValue

/** An integrator's engine without a window: its page runs in this process, signed in, and answers at once. */
function memoryEngine(answer: AnswerCall): Engine {
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

/** The lists that were asked for, by their length. The page has them ready, as the peer has its reply. */
const lists = new Map<number, JsonValue>()

/** As many users as the filter `customId` states, so that the request chooses the reply's size. */
function usersOf(args: JsonValue): JsonValue {
  const filter = typeof args === 'object' && args !== null && 'customId' in args ? args.customId : undefined
  const count = Number(filter ?? 1)
  const users = lists.get(count) ?? listUsers(count)
  lists.set(count, users)
  return users
}

// A wrapper process from the built package, with a page in memory instead of a browser.

const engine = memoryEngine((handler, args) => {
  if (handler === 'getListOfUsers') return usersOf(args)
  return handler === 'selectPerson' ? { status: 'selected', userId: 1, customId: 'p' } : null
})
const brand = defineBrand({ appUrl: 'http://localhost/' })
const launch = { id: crypto.randomUUID(), argv: [], workingDirectory: process.cwd() }
const start = await createWrapper({ brand, engine, onNotice: sentence => console.error(sentence) }).start(
  launch,
)
if (start.role === 'handed-off') throw new Error('Another wrapper runs in the folders of this measurement.')
process.send?.(start.wrapper.pipeAddress)
process.once('disconnect', () => void start.wrapper.close())

import type { Engine, EngineEvents, EngineWindow } from '@service-link/window-engine'
import { EventListeners } from '@service-link/window-engine'

/** An engine that draws nothing; the test sends its one window's events. */
export function fakeEngine(): Engine & {
  readonly emit: <Name extends keyof EngineEvents>(name: Name, event: EngineEvents[Name]) => void
} {
  const listeners = new EventListeners<EngineEvents>()
  const nothing = async () => undefined
  const close = async () => listeners.emit('closed', { isLost: false })
  const window: EngineWindow = {
    call: nothing,
    navigate: nothing,
    reload: nothing,
    minimise: nothing,
    show: nothing,
    windowState: async () => 'normal',
    setMinimiseOnClose: () => undefined,
    saveSession: async () => ({ engine: 'fake', data: null }),
    restoreSession: nothing,
    post: async () => ({ status: 200 }),
    ping: nothing,
    restartPage: nothing,
    canReach: async () => true,
    showOwnPage: nothing,
    setNotice: nothing,
    close,
    on: (name, listener) => listeners.on(name, listener),
    [Symbol.asyncDispose]: close,
  }
  return {
    name: 'fake',
    probe: async () => ({ isAvailable: true }),
    open: async () => window,
    emit: (name, event) => listeners.emit(name, event),
  }
}

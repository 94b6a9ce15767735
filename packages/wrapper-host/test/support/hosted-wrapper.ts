import type { Engine, OpenWindowOptions } from '@service-link/window-engine'
import { EventListeners } from '@service-link/window-engine'
import { createMemoryEngine, type PostedForm } from '../../src/testing/memory-engine.ts'
import { MemoryPage } from '../../src/testing/memory-page.ts'
import type { Tray, TrayAction, TrayEvents, TrayMenu } from '../../src/tray/tray.ts'
import type { HostHandlers } from '../../src/web-app/page/messages.ts'
import { type NewWrapperOptions, newWrapper } from './new-wrapper.ts'

/** A test's options of its wrapper. */
export interface HostedWrapperOptions extends Omit<NewWrapperOptions, 'engine'> {
  readonly webApp?: HostHandlers
  readonly isSignedIn?: boolean
  readonly argv?: readonly string[]
  readonly answerPost?: (post: PostedForm) => Promise<number>
}

/** See {@link startHosted}. */
export type HostedWrapper = Awaited<ReturnType<typeof startHosted>>

/** Starts a wrapper with a window in memory, and shows its parts. */
export async function startHosted({
  webApp = {},
  isSignedIn = true,
  argv = [],
  answerPost = async () => 200,
  ...options
}: HostedWrapperOptions = {}) {
  /** Called handlers, in order. */
  const calls: string[] = []
  const page = new MemoryPage({
    handlers: webApp,
    onEvent: event => void (event.type === 'call' && calls.push(event.handler)),
    onError: () => undefined,
  })
  const engine = createMemoryEngine(
    { isOnline: true, load: page.load.bind(page), answerPost },
    { isSignedIn },
  )
  /** Options of each opened window. */
  const opened: OpenWindowOptions[] = []
  const watched: Engine = {
    name: engine.name,
    probe: engine.probe,
    open(windowOptions) {
      opened.push(windowOptions)
      return engine.open(windowOptions)
    },
  }
  const made = await newWrapper({ ...options, engine: watched })
  const wrapper = await made.run(...argv)
  await engine.window?.begun
  return {
    ...made,
    wrapper,
    page,
    /** The current window. */
    get window() {
      if (!engine.window) throw new Error('There is no window.')
      return engine.window
    },
    opened,
    calls,
  }
}

/** A tray in memory; the test reads the menu and makes the choices. */
export function memoryTray({ isShownAtOnce = true } = {}) {
  const listeners = new EventListeners<TrayEvents>()
  let shown: TrayMenu | undefined
  let told: readonly string[] | undefined
  const tray: Tray = {
    name: 'Memory',
    async open(menu) {
      shown = menu
      return {
        isShown: isShownAtOnce,
        update(changed) {
          shown = changed
        },
        tell(...notice) {
          told = notice
        },
        on: (name, listener) => listeners.on(name, listener),
        async [Symbol.asyncDispose]() {
          shown = undefined
        },
      }
    },
  }
  return {
    tray,
    /** Labels of the items, disabled ones in brackets; `undefined` without an icon. */
    get items() {
      return shown?.items.map(({ label, isEnabled }) => (isEnabled ? label : `(${label})`))
    },
    /** Title and text of the last notice. */
    get notice() {
      return told
    },
    setShown: (isShown: boolean) => listeners.emit('shown', { isShown }),
    endSession: () => listeners.emit('sessionEnding', {}),
    chooseNotice: () => listeners.emit('noticeChosen', {}),
    choose: (action: TrayAction) => listeners.emit('chosen', { action }),
    lose() {
      shown = undefined
      listeners.emit('lost', {})
    },
  }
}

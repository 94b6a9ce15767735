import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand, type SettingName } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { type Engine, EventListeners, type OpenWindowOptions } from '@service-link/window-engine'
import { writeUserConfig } from '../../src/settings/config-file.ts'
import type { RunningWrapper } from '../../src/start/become-wrapper.ts'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import type { CreateWrapperOptions } from '../../src/start/wrapper-options.ts'
import type { MemoryWindow, PostedForm } from '../../src/testing/memory-engine.ts'
import { createMemoryEngine } from '../../src/testing/memory-engine.ts'
import { MemoryPage } from '../../src/testing/memory-page.ts'
import { reservePipePrefix } from '../../src/testing/start-test-wrapper.ts'
import type { Tray, TrayAction, TrayEvents, TrayMenu } from '../../src/tray/tray.ts'
import type { HostHandlers } from '../../src/web-app/page/messages.ts'

/** A test's options of its wrapper. */
export interface HostedWrapperOptions
  extends Pick<CreateWrapperOptions, 'tray' | 'texts' | 'openExternal' | 'onNotice'> {
  readonly settings?: Readonly<Partial<Record<SettingName, string>>>
  readonly webApp?: HostHandlers
  readonly isSignedIn?: boolean
  readonly argv?: readonly string[]
  readonly answerPost?: (post: PostedForm) => Promise<number>
}

/** A wrapper with a window in memory, and its parts. */
export interface HostedWrapper extends AsyncDisposable {
  readonly wrapper: RunningWrapper
  readonly page: MemoryPage
  /** The current window. */
  readonly window: MemoryWindow
  /** Options of each opened window. */
  readonly opened: readonly OpenWindowOptions[]
  /** Called handlers, in order. */
  readonly calls: readonly string[]
  readonly notices: readonly string[]
  readonly userFolder: string
}

/** Starts it, in folders that are removed with it. */
export async function startHosted(options: HostedWrapperOptions = {}): Promise<HostedWrapper> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const { prefix } = resources.use(reservePipePrefix('hosted'))
  const folders = { applicationRoot: join(folder.path, 'root'), userFolder: join(folder.path, 'user') }
  const brand = { ...defaultBrand, pipePrefix: prefix }
  await mkdir(folders.applicationRoot)
  const texts = { AppUrl: 'https://app.example/', CheckForUpdates: 'False', ...options.settings }
  const content = writeUserConfig(brand, texts)
  await writeFile(join(folders.applicationRoot, brand.configFile), content)

  const calls: string[] = []
  const notices: string[] = []
  const page = new MemoryPage({
    handlers: options.webApp ?? {},
    onEvent: event => void (event.type === 'call' && calls.push(event.handler)),
    onError: () => undefined,
  })
  const world = {
    isOnline: true,
    load: page.load.bind(page),
    answerPost: options.answerPost ?? (async () => 200),
  }
  const engine = createMemoryEngine(world, { isSignedIn: options.isSignedIn ?? true })
  const opened: OpenWindowOptions[] = []
  const watched: Engine = {
    name: engine.name,
    probe: engine.probe,
    open(windowOptions) {
      opened.push(windowOptions)
      return engine.open(windowOptions)
    },
  }
  const { tray, texts: words, openExternal } = options
  const start = await createWrapper({
    brand,
    folders,
    engine: watched,
    ...(tray === undefined ? {} : { tray }),
    ...(words ? { texts: words } : {}),
    ...(openExternal ? { openExternal } : {}),
    onNotice(sentence) {
      notices.push(sentence)
      options.onNotice?.(sentence)
    },
  }).start({ id: randomUUID(), argv: [...(options.argv ?? [])], workingDirectory: folder.path })
  if (start.role !== 'wrapper') throw new Error('A wrapper runs in the new folders already.')
  const wrapper = resources.use(start.wrapper)
  await engine.window?.begun
  const owned = resources.move()
  return {
    wrapper,
    page,
    get window() {
      if (!engine.window) throw new Error('There is no window.')
      return engine.window
    },
    opened,
    calls,
    notices,
    userFolder: folders.userFolder,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** A tray in memory; the test reads the menu and makes the choices. */
export function memoryTray() {
  const listeners = new EventListeners<TrayEvents>()
  let shown: TrayMenu | undefined
  const tray: Tray = {
    name: 'Memory',
    async open(menu) {
      shown = menu
      return {
        update(changed) {
          shown = changed
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
    choose: (action: TrayAction) => listeners.emit('chosen', { action }),
    lose: () => listeners.emit('lost', {}),
  }
}

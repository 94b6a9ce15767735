import { Deadline, growingPause } from '@service-link/protocol-core/time'
import { makeIcon, nativeCalls, openRegistry, openSystemLibrary } from '@service-link/protocol-core/windows'
import { EventListeners } from '@service-link/window-engine'
import { neutralPicture, packedIcon } from '../window/brand-icon.ts'
import { type Tray, TrayError, type TrayEvents, type TrayIcon, type TrayMenu } from './tray.ts'
import { MessageWindow, ownMessages, sessionEnds, type WindowMessage } from './windows/message-window.ts'
import { iconEvents, NotificationIcon } from './windows/notification-icon.ts'
import { makePopupMenu } from './windows/popup-menu.ts'

interface WindowsTrayOptions {
  /** Icon file (`.ico`), or PNG. */
  readonly icon?: Uint8Array | undefined
  /** The same for a light taskbar. */
  readonly iconOnLight?: Uint8Array | undefined
  readonly readyTimeoutMs: number
}

/** Shows an icon in the notification area of Windows, from this process. */
export function createWindowsTray({ icon, iconOnLight, readyTimeoutMs }: WindowsTrayOptions): Tray {
  const onDark = icon ?? packedIcon() ?? neutralPicture()
  const pictures = { onDark, onLight: iconOnLight ?? icon ?? packedIcon('onLight') ?? onDark }
  return {
    name: 'Windows',
    async open(menu, signal) {
      signal?.throwIfAborted()
      if (!nativeCalls()) throw new TrayError('no-calls', noCalls)
      const late = () => new TrayError('timeout', `The icon was not ready within ${readyTimeoutMs} ms.`)
      const window = await MessageWindow.open(menu.tooltip, readyTimeoutMs, late, signal).catch(error => {
        signal?.throwIfAborted()
        throw error instanceof TrayError ? error : new TrayError('ended', 'The icon has no window.')
      })
      if (!window) throw new TrayError('no-calls', noCalls)
      const icon = new WindowsIcon(window, pictures, menu)
      // At the beginning of a session the taskbar may come much later than the wrapper.
      await new Deadline(readyTimeoutMs, signal).waitFor(icon.ready, late).catch(() => undefined)
      if (signal?.aborted) await icon[Symbol.asyncDispose]()
      signal?.throwIfAborted()
      return icon
    },
  }
}

/** Pauses between attempts to show the icon, in milliseconds. A new taskbar also says that it is there. */
const pauses = { firstMs: 500, longestMs: 10_000 } as const

const noCalls = 'This Node has no node:ffi. Use Node 26, or a packed wrapper.'

interface Pictures {
  readonly onDark: Uint8Array
  readonly onLight: Uint8Array
}

class WindowsIcon implements TrayIcon {
  /** Resolves when a taskbar has the icon for the first time. Never rejects. */
  readonly ready: Promise<void>
  readonly #firstShown = Promise.withResolvers<void>()
  readonly #listeners = new EventListeners<TrayEvents>()
  readonly #notification: NotificationIcon
  readonly #window: MessageWindow
  readonly #pictures: Pictures
  readonly #icons = new Map<string, bigint>()
  #menu: TrayMenu
  #opened: { readonly menu: TrayMenu; destroy(): void } | undefined
  #isShown = false
  /** Whether the taskbar should have the icon: a new one has not. */
  #isAdded = false
  #isOutdated = false
  #isRenewing = false
  #attempts = 0
  #again: NodeJS.Timeout | undefined
  #isAsked = false

  constructor(window: MessageWindow, pictures: Pictures, menu: TrayMenu) {
    this.#window = window
    this.#notification = new NotificationIcon(window)
    this.#pictures = pictures
    this.#menu = menu
    this.ready = this.#firstShown.promise
    window.onMessage = message => this.#hear(message)
    void window.ended.then(() => {
      clearTimeout(this.#again)
      for (const icon of this.#icons.values()) openSystemLibrary('user32', iconFunctions)?.DestroyIcon(icon)
      if (!this.#isAsked) this.#listeners.emit('lost', {})
      this.#isAsked = true
      this.#listeners.clear()
    })
    void this.#renew()
  }

  get isShown(): boolean {
    return this.#isShown
  }

  update(menu: TrayMenu): void {
    const isOther = menu.tooltip !== this.#menu.tooltip
    this.#menu = menu
    if (isOther) void this.#renew()
  }

  tell(title: string, text: string): void {
    void this.#notification.tell(this.#content, title, text)
  }

  on<Name extends keyof TrayEvents>(name: Name, listener: (event: TrayEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isAsked = true
    clearTimeout(this.#again)
    await this.#window[Symbol.asyncDispose]()
  }

  /** Has the taskbar show the icon as it is now, until it does. It is asked once at a time, because a busy one answers late. */
  async #renew(): Promise<void> {
    this.#isOutdated = true
    if (this.#isRenewing) return
    this.#isRenewing = true
    clearTimeout(this.#again)
    while (this.#isOutdated && !this.#isAsked) {
      this.#isOutdated = false
      const isShowing = !this.#isAdded
      this.#isAdded = true
      const isDone = await this.#notification[isShowing ? 'show' : 'change'](this.#content)
      if (!isDone) this.#isAdded = false
    }
    this.#isRenewing = false
    if (!this.#isAsked) this.#noteShown(this.#isAdded)
  }

  #noteShown(isShown: boolean): void {
    const hasChanged = isShown !== this.#isShown
    this.#isShown = isShown
    if (hasChanged) this.#listeners.emit('shown', { isShown })
    if (isShown) {
      this.#attempts = 0
      this.#firstShown.resolve()
      return
    }
    this.#again = setTimeout(() => void this.#renew(), growingPause(this.#attempts++, pauses))
    this.#again.unref()
  }

  get #content() {
    return { icon: this.#icon(), tooltip: this.#menu.tooltip }
  }

  #icon(): bigint {
    const look = isTaskbarLight() ? 'onLight' : 'onDark'
    const size = iconSize(this.#window.handle)
    const name = `${look} ${size}`
    const icon = this.#icons.get(name) ?? makeIcon(this.#pictures[look], size) ?? 0n
    this.#icons.set(name, icon)
    return icon
  }

  #hear({ message, first, second }: WindowMessage): void {
    if (message === ownMessages.icon) this.#hearClick(Number(second & 0xffffn), first)
    else if (message === ownMessages.chosen) this.#hearChoice(Number(first))
    else if (message === sessionEnds) this.#listeners.emit('sessionEnding', {})
    // taskkill and the Restart Manager of Windows ask a program to end in this way.
    else if (message === windowMessages.close) this.#choose(({ action }) => action === 'close')
    else {
      if (message === this.#window.taskbarCreated) this.#isAdded = false
      // Else theme, or pixels per inch.
      void this.#renew()
    }
  }

  #hearClick(event: number, place: bigint): void {
    if (event === iconEvents.select || event === iconEvents.selectByKey)
      this.#choose((_item, index) => index === 0)
    else if (event === iconEvents.noticeChosen) this.#listeners.emit('noticeChosen', {})
    else if (event === iconEvents.menu && !this.#opened) {
      const opened = makePopupMenu(this.#menu.items)
      if (!opened) return
      this.#opened = { menu: this.#menu, destroy: opened.destroy }
      this.#window.openMenu(opened.handle, place)
    }
  }

  #hearChoice(command: number): void {
    const opened = this.#opened
    this.#opened = undefined
    opened?.destroy()
    const action = opened?.menu.items[command - 1]?.action
    this.#choose(item => item.action === action)
  }

  /** Chooses among the items as they are now: an open menu still offers items that are disabled meanwhile. */
  #choose(isChosen: (item: TrayMenu['items'][number], index: number) => boolean): void {
    const item = this.#menu.items.find(isChosen)
    if (item?.isEnabled && !this.#isAsked) this.#listeners.emit('chosen', { action: item.action })
  }
}

const windowMessages = { close: 0x0010 } as const

const iconFunctions = {
  DestroyIcon: { return: 'int32', arguments: ['uint64'] },
  GetDpiForWindow: { return: 'uint32', arguments: ['uint64'] },
  GetSystemMetricsForDpi: { return: 'int32', arguments: ['int32', 'uint32'] },
} as const

/** `SM_CXSMICON` */
const smallIconWidth = 49

function iconSize(window: bigint): number {
  const user32 = openSystemLibrary('user32', iconFunctions)
  return user32?.GetSystemMetricsForDpi(smallIconWidth, user32.GetDpiForWindow(window)) || 16
}

const themeKey = 'Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize'

/** Without the value, as before Windows 10 1903, the taskbar is dark. */
function isTaskbarLight(): boolean {
  try {
    return openRegistry()?.read('HKCU', themeKey).get('SystemUsesLightTheme') === 1
  } catch {
    return false
  }
}

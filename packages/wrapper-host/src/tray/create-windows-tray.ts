import { Deadline } from '@service-link/protocol-core/time'
import { makeIcon, nativeCalls, openRegistry, openSystemLibrary } from '@service-link/protocol-core/windows'
import { EventListeners } from '@service-link/window-engine'
import { neutralPicture, packedIcon } from '../window/brand-icon.ts'
import { type Tray, TrayError, type TrayEvents, type TrayIcon, type TrayMenu } from './tray.ts'
import { MessageWindow, ownMessages, type WindowMessage } from './windows/message-window.ts'
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
      const shown = new WindowsIcon(window, pictures, menu)
      // At the beginning of a session the taskbar comes later than the wrapper, or is busy.
      const again = setInterval(() => shown.show(), againMs)
      try {
        await new Deadline(readyTimeoutMs, signal).waitFor(shown.ready, noArea)
        return shown
      } catch (error) {
        await shown[Symbol.asyncDispose]()
        throw error
      } finally {
        clearInterval(again)
      }
    },
  }
}

/** Time between attempts to show the icon, in milliseconds. */
const againMs = 500

const noArea = () => new TrayError('no-area', 'This desktop has no taskbar with a notification area.')
const noCalls = 'This Node has no node:ffi. Use Node 26, or a packed wrapper.'

interface Pictures {
  readonly onDark: Uint8Array
  readonly onLight: Uint8Array
}

class WindowsIcon implements TrayIcon {
  /** Resolves when a taskbar has the icon. */
  readonly ready: Promise<void>
  readonly #shown = Promise.withResolvers<void>()
  readonly #listeners = new EventListeners<TrayEvents>()
  readonly #notification = new NotificationIcon()
  readonly #window: MessageWindow
  readonly #pictures: Pictures
  readonly #icons = new Map<string, bigint>()
  #menu: TrayMenu
  #opened: { readonly menu: TrayMenu; destroy(): void } | undefined
  #isAsked = false
  readonly #remove = () => void this.#notification.remove(this.#content)

  constructor(window: MessageWindow, pictures: Pictures, menu: TrayMenu) {
    this.#window = window
    this.#pictures = pictures
    this.#menu = menu
    this.ready = this.#shown.promise
    window.onMessage = message => this.#hear(message)
    // Else Windows shows it until the pointer comes there.
    process.on('exit', this.#remove)
    void window.ended.then(() => {
      process.off('exit', this.#remove)
      this.#remove()
      for (const icon of this.#icons.values()) openSystemLibrary('user32', iconFunctions)?.DestroyIcon(icon)
      if (!this.#isAsked) this.#listeners.emit('lost', {})
      this.#listeners.clear()
    })
    this.show()
  }

  show(): void {
    if (this.#notification.show(this.#content)) this.#shown.resolve()
  }

  update(menu: TrayMenu): void {
    const isOther = menu.tooltip !== this.#menu.tooltip
    this.#menu = menu
    if (isOther) this.#notification.change(this.#content)
  }

  tell(title: string, text: string): void {
    this.#notification.tell(this.#content, title, text)
  }

  on<Name extends keyof TrayEvents>(name: Name, listener: (event: TrayEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isAsked = true
    this.#remove()
    await this.#window[Symbol.asyncDispose]()
  }

  get #content() {
    return { window: this.#window.handle, icon: this.#icon(), tooltip: this.#menu.tooltip }
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
    else if (message === this.#window.taskbarCreated) this.show()
    // taskkill and the Restart Manager of Windows ask a program to end in this way.
    else if (message === windowMessages.close) this.#choose(({ action }) => action === 'close')
    // Theme, or pixels per inch.
    else this.#notification.change(this.#content)
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

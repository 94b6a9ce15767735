import { openSystemLibrary, readWideText } from '@service-link/protocol-core/windows'
import { identifyWindow } from './window-identity.ts'

const functions = {
  FindWindowExW: { return: 'uint64', arguments: ['uint64', 'uint64', 'pointer', 'pointer'] },
  GetWindowThreadProcessId: { return: 'uint32', arguments: ['uint64', 'buffer'] },
  GetWindow: { return: 'uint64', arguments: ['uint64', 'uint32'] },
  GetClassNameW: { return: 'int32', arguments: ['uint64', 'buffer', 'int32'] },
  GetLastActivePopup: { return: 'uint64', arguments: ['uint64'] },
  GetForegroundWindow: { return: 'uint64', arguments: [] },
  IsWindowVisible: { return: 'int32', arguments: ['uint64'] },
  IsWindowEnabled: { return: 'int32', arguments: ['uint64'] },
  IsIconic: { return: 'int32', arguments: ['uint64'] },
  ShowWindowAsync: { return: 'int32', arguments: ['uint64', 'int32'] },
  SetForegroundWindow: { return: 'int32', arguments: ['uint64'] },
  SetWindowPos: {
    return: 'int32',
    arguments: ['uint64', 'uint64', 'int32', 'int32', 'int32', 'int32', 'uint32'],
  },
} as const

/** Opens the functions of windows; `undefined` without `node:ffi`. */
export const openUser32 = () => openSystemLibrary('user32', functions)

type User32 = NonNullable<ReturnType<typeof openUser32>>

/** `GW_OWNER` */
const owner = 4
const show = { hide: 0, show: 5, minimise: 6, restore: 9 } as const
/** `HWND_TOP`; `HWND_TOPMOST` and back to `HWND_NOTOPMOST`. */
const top = [0n]
const topmostAndBack = [-1n, -2n].map(place => BigInt.asUintN(64, place))
/** `SWP_NOSIZE`, `SWP_NOMOVE`, `SWP_NOACTIVATE`, and `SWP_ASYNCWINDOWPOS`: a browser that hangs holds nobody up. */
const asItIs = 0x0001 | 0x0002 | 0x0010 | 0x4000
/** Class of Chromium's windows. Bubbles and helpers of the browser have others, or an owner. */
const browserClass = 'Chrome_WidgetWin_1'
const maxClassUnits = 257
/** More windows than a desktop can have. Ends a search among windows that change their order meanwhile. */
const maxWindows = 65_536

/**
 * The window of another process. It is found when it is first needed, at the browser's start, when it is the only one; from then on it
 * is known by its handle, also while it is hidden and beside windows that the page or the user has opened.
 */
export class TopWindow {
  readonly #user32: User32
  readonly #pid: number
  #handle: bigint | undefined

  constructor(user32: User32, pid: number) {
    this.#user32 = user32
    this.#pid = pid
  }

  state(): 'normal' | 'minimised' | undefined {
    const window = this.#find()
    if (window === undefined) return undefined
    const isSeen = this.#user32.IsWindowVisible(window) !== 0 && this.#user32.IsIconic(window) === 0
    return isSeen ? 'normal' : 'minimised'
  }

  hide(): boolean {
    return this.#show(show.hide)
  }

  /** A hidden one gets its task bar button back. */
  minimise(): boolean {
    return this.#show(show.minimise)
  }

  /** A window that was maximized is maximized again. */
  restore(): boolean {
    const window = this.#find()
    return window !== undefined && this.#show(this.#user32.IsIconic(window) ? show.restore : show.show)
  }

  /**
   * Makes it the window of the foreground. Where Windows refuses that, because this process has no right to it, the window gets in front
   * of all others and the keyboard stays where it is: keys that somebody types elsewhere must not end up here.
   */
  raise(): void {
    const window = this.#find()
    if (window === undefined) return
    const user32 = this.#user32
    const place = (places: readonly bigint[]) => {
      for (const after of places) user32.SetWindowPos(window, after, 0, 0, 0, 0, asItIs)
    }
    // The foreground alone does not move a window that its own process already takes for the active one.
    place(top)
    // While a dialog of the browser is open, its window takes no keys.
    user32.SetForegroundWindow(user32.IsWindowEnabled(window) ? window : user32.GetLastActivePopup(window))
    if (!this.#isOwn(user32.GetForegroundWindow())) place(topmostAndBack)
  }

  identify(identity: Parameters<typeof identifyWindow>[1], icon?: Uint8Array): void {
    const window = this.#find()
    if (window !== undefined) identifyWindow(window, identity, icon)
  }

  #show(how: number): boolean {
    const window = this.#find()
    if (window !== undefined) this.#user32.ShowWindowAsync(window, how)
    return window !== undefined
  }

  #find(): bigint | undefined {
    // A handle may go to another window once its own is gone.
    if (this.#handle !== undefined && this.#isOwn(this.#handle)) return this.#handle
    const search = () => this.#all().filter(window => this.#isTop(window))
    // The walk over all windows ends early where one goes away meanwhile.
    const once = search()
    const found = once.length > 0 ? once : search()
    this.#handle = found.find(window => this.#classOf(window) === browserClass) ?? found[0]
    return this.#handle
  }

  #all(): bigint[] {
    const windows: bigint[] = []
    for (let last = 0n; windows.length < maxWindows; windows.push(last)) {
      last = this.#user32.FindWindowExW(0n, last, null, null)
      if (last === 0n) break
    }
    return windows
  }

  #isTop(window: bigint): boolean {
    const { IsWindowVisible, GetWindow } = this.#user32
    return this.#isOwn(window) && IsWindowVisible(window) !== 0 && GetWindow(window, owner) === 0n
  }

  #isOwn(window: bigint): boolean {
    const pid = Buffer.alloc(4)
    this.#user32.GetWindowThreadProcessId(window, pid)
    return pid.readUInt32LE() === this.#pid
  }

  #classOf(window: bigint): string {
    const name = Buffer.alloc(2 * maxClassUnits)
    this.#user32.GetClassNameW(window, name, maxClassUnits)
    return readWideText(name)
  }
}

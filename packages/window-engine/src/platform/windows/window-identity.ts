import { makeIcon, openSystemLibrary, wideText } from '@service-link/protocol-core/windows'
import { type PropertyKey, PropertyStore } from './property-store.ts'

const shellFunctions = {
  SHGetPropertyStoreForWindow: { return: 'int32', arguments: ['uint64', 'buffer', 'buffer'] },
  SetCurrentProcessExplicitAppUserModelID: { return: 'int32', arguments: ['buffer'] },
} as const

const windowFunctions = {
  PostMessageW: { return: 'int32', arguments: ['uint64', 'uint32', 'uint64', 'int64'] },
  GetDpiForWindow: { return: 'uint32', arguments: ['uint64'] },
  GetSystemMetricsForDpi: { return: 'int32', arguments: ['int32', 'uint32'] },
} as const

const propertySet = '9f4c2855-9f79-4b39-a8d0-e1d42de1d5f3'
/** Properties of `System.AppUserModel`. */
const keys = {
  relaunchCommand: { set: propertySet, id: 2 },
  relaunchIcon: { set: propertySet, id: 3 },
  relaunchName: { set: propertySet, id: 4 },
  id: { set: propertySet, id: 5 },
} as const satisfies Readonly<Record<string, PropertyKey>>

const setIcon = 0x0080
/** The number of each icon in a message, and of its width among the system's measures. */
const icons = [
  { place: 0n, width: 49 },
  { place: 1n, width: 11 },
] as const

interface Identity {
  readonly id: string
  readonly name: string
  readonly command?: string | undefined
  readonly iconResource?: string | undefined
}

/**
 * Gives a window of any process its identity. Its list of recent pages and tasks is empty, because none is kept for the id.
 *
 * @param window `HWND`
 * @param picture icon file or PNG. Default: the browser's icon stays
 * @returns whether Windows has accepted all of it; false on other systems, and without `node:ffi`
 */
export function identifyWindow(window: bigint, identity: Identity, picture?: Uint8Array): boolean {
  const shell32 = openSystemLibrary('shell32', shellFunctions)
  if (!shell32) return false
  showIcon(window, picture)
  using store = PropertyStore.open((id, found) => shell32.SHGetPropertyStoreForWindow(window, id, found))
  return store !== undefined && writeIdentity(store, identity)
}

/** The taskbar reads all properties when it is told the id, which is therefore the last one. */
export function writeIdentity(store: PropertyStore, identity: Identity): boolean {
  const { id, name, command, iconResource } = identity
  const relaunch =
    command === undefined
      ? []
      : ([
          [keys.relaunchCommand, command],
          [keys.relaunchName, name],
        ] as const)
  const icon = iconResource === undefined ? [] : ([[keys.relaunchIcon, iconResource]] as const)
  return [...relaunch, ...icon, [keys.id, id] as const].every(([key, text]) => store.set(key, text))
}

/** Makes this process one of the application, as notices of its icon show it. */
export function identifyProcess(id: string): void {
  openSystemLibrary('shell32', shellFunctions)?.SetCurrentProcessExplicitAppUserModelID(wideText(id))
}

/** Icons of each picture by their size. They last until this process ends: the window uses them. */
const made = new WeakMap<Uint8Array, Map<number, bigint | undefined>>()

function showIcon(window: bigint, picture: Uint8Array | undefined): void {
  const user32 = openSystemLibrary('user32', windowFunctions)
  if (!user32 || !picture) return
  const known = made.get(picture) ?? new Map<number, bigint | undefined>()
  made.set(picture, known)
  for (const { place, width } of icons) {
    const size = user32.GetSystemMetricsForDpi(width, user32.GetDpiForWindow(window)) || 32
    const icon = known.get(size) ?? makeIcon(picture, size)
    known.set(size, icon)
    // A browser that hangs holds nobody up.
    if (icon !== undefined) user32.PostMessageW(window, setIcon, place, icon)
  }
}

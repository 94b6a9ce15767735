import { openSystemLibrary, wideText } from '@service-link/protocol-core/windows'

const functions = {
  CreatePopupMenu: { return: 'uint64', arguments: [] },
  AppendMenuW: { return: 'int32', arguments: ['uint64', 'uint32', 'uint64', 'buffer'] },
  SetMenuDefaultItem: { return: 'int32', arguments: ['uint64', 'uint32', 'uint32'] },
  DestroyMenu: { return: 'int32', arguments: ['uint64'] },
} as const

const grayed = 0x0001

interface PopupItem {
  readonly label: string
  readonly isEnabled: boolean
}

interface PopupMenu {
  /** `HMENU` */
  readonly handle: bigint
  destroy(): void
}

/**
 * Makes a menu of Windows. The command of an item is its place, from 1. The first item is the default one, as a click does the same.
 *
 * @returns `undefined` on other systems, and without `node:ffi`
 */
export function makePopupMenu(items: readonly PopupItem[]): PopupMenu | undefined {
  const user32 = openSystemLibrary('user32', functions)
  if (!user32) return undefined
  const handle = user32.CreatePopupMenu()
  // An ampersand would underline the next letter.
  for (const [place, { label, isEnabled }] of items.entries())
    user32.AppendMenuW(
      handle,
      isEnabled ? 0 : grayed,
      BigInt(place + 1),
      wideText(label.replaceAll('&', '&&')),
    )
  user32.SetMenuDefaultItem(handle, 1, 0)
  return { handle, destroy: () => void user32.DestroyMenu(handle) }
}

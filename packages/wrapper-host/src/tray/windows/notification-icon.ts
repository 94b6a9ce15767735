import { openSystemLibrary, wideText } from '@service-link/protocol-core/windows'
import { ownMessages } from './message-window.ts'

const functions = { Shell_NotifyIconW: { return: 'int32', arguments: ['uint32', 'buffer'] } } as const

const actions = { add: 0, modify: 1, delete: 2, setVersion: 4 } as const
/** `NIF_MESSAGE`, `NIF_ICON`, `NIF_TIP`, `NIF_SHOWTIP`, and `NIF_INFO`. */
const parts = { icon: 0x01 | 0x02 | 0x04 | 0x80, notice: 0x10 } as const
/** `NIIF_RESPECT_QUIET_TIME`, with the icon of the program. */
const quietly = 0x80 | 0x04
/** The only icon of its window. */
const iconId = 1
/** Place of each member of `NOTIFYICONDATAW`, and units of its texts with their last zero. */
const layout = {
  bytes: 976,
  window: 8,
  id: 16,
  parts: 20,
  message: 24,
  icon: 32,
  tip: { at: 40, units: 128 },
  notice: { at: 304, units: 256 },
  version: 816,
  noticeTitle: { at: 820, units: 64 },
  noticeKind: 948,
} as const

interface IconContent {
  /** `HWND` of the window that gets its messages. */
  readonly window: bigint
  /** `HICON` */
  readonly icon: bigint
  readonly tooltip: string
}

/** What a message of the icon means; the others are of no use here. */
export const iconEvents = { select: 0x400, selectByKey: 0x401, menu: 0x7b, noticeChosen: 0x405 } as const

/** An icon in the notification area of Windows. All methods return false where there is no such area. */
export class NotificationIcon {
  readonly #notify: (action: number, data: Buffer) => number

  /** @throws nothing; without `node:ffi` the icon can never be shown */
  constructor() {
    const shell32 = openSystemLibrary('shell32', functions)
    this.#notify = shell32?.Shell_NotifyIconW ?? (() => 0)
  }

  /** Shows it; also a new taskbar needs that. */
  show(content: IconContent): boolean {
    const data = this.#write(content, parts.icon)
    // A busy taskbar may have taken an icon whose adding failed.
    if (this.#notify(actions.add, data) === 0 && this.#notify(actions.modify, data) === 0) return false
    // By version 4 a message tells its place and the keyboard counts.
    data.writeUInt32LE(4, layout.version)
    return this.#notify(actions.setVersion, data) !== 0
  }

  change(content: IconContent): boolean {
    return this.#notify(actions.modify, this.#write(content, parts.icon)) !== 0
  }

  tell(content: IconContent, title: string, text: string): boolean {
    const data = this.#write(content, parts.icon | parts.notice)
    writeText(data, layout.notice, text)
    writeText(data, layout.noticeTitle, title)
    data.writeUInt32LE(quietly, layout.noticeKind)
    return this.#notify(actions.modify, data) !== 0
  }

  remove(content: IconContent): boolean {
    return this.#notify(actions.delete, this.#write(content, 0)) !== 0
  }

  #write({ window, icon, tooltip }: IconContent, shown: number): Buffer {
    const data = Buffer.alloc(layout.bytes)
    data.writeUInt32LE(layout.bytes, 0)
    data.writeBigUInt64LE(window, layout.window)
    data.writeUInt32LE(iconId, layout.id)
    data.writeUInt32LE(shown, layout.parts)
    data.writeUInt32LE(ownMessages.icon, layout.message)
    data.writeBigUInt64LE(icon, layout.icon)
    writeText(data, layout.tip, tooltip)
    return data
  }
}

function writeText(data: Buffer, { at, units }: { at: number; units: number }, text: string): void {
  // Windows reads up to the last zero; half of a pair is no letter.
  const fitting = text.slice(0, units - 1).replace(/[\uD800-\uDBFF]$/, '')
  wideText(fitting).copy(data, at)
}

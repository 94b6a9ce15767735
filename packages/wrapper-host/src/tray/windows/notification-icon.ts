import { wideText } from '@service-link/protocol-core/windows'
import { type MessageWindow, ownMessages } from './message-window.ts'

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
  noticeTitle: { at: 820, units: 64 },
  noticeKind: 948,
} as const

interface IconContent {
  /** `HICON` */
  readonly icon: bigint
  readonly tooltip: string
}

/** What a message of the icon means; the others are of no use here. */
export const iconEvents = { select: 0x400, selectByKey: 0x401, menu: 0x7b, noticeChosen: 0x405 } as const

/** The icon of a window in the notification area of Windows. All methods resolve to false where there is no such area. */
export class NotificationIcon {
  readonly #window: MessageWindow

  constructor(window: MessageWindow) {
    this.#window = window
  }

  /** Shows it; also a new taskbar needs that. */
  show(content: IconContent): Promise<boolean> {
    return this.#window.notify('show', this.#write(content, parts.icon))
  }

  change(content: IconContent): Promise<boolean> {
    return this.#window.notify('change', this.#write(content, parts.icon))
  }

  tell(content: IconContent, title: string, text: string): Promise<boolean> {
    const data = this.#write(content, parts.icon | parts.notice)
    writeText(data, layout.notice, text)
    writeText(data, layout.noticeTitle, title)
    data.writeUInt32LE(quietly, layout.noticeKind)
    return this.#window.notify('change', data)
  }

  #write({ icon, tooltip }: IconContent, shown: number): Buffer {
    const data = Buffer.alloc(layout.bytes)
    data.writeUInt32LE(layout.bytes, 0)
    data.writeBigUInt64LE(this.#window.handle, layout.window)
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

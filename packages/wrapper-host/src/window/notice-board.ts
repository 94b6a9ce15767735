import { isServiceLinkError } from '@service-link/protocol-core/errors'
import type { EngineWindow, WindowNotice } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'

/** A notice with its action. */
interface PostedNotice extends WindowNotice {
  onFollow?(): void
}

/** Notices of a window. It shows the newest one, and the next when the user has followed or dismissed that. */
export class NoticeBoard implements Disposable {
  readonly #window: EngineWindow
  readonly #report: ReportEvent
  readonly #stop: () => void
  readonly #notices: PostedNotice[] = []

  constructor(window: EngineWindow, report: ReportEvent) {
    this.#window = window
    this.#report = report
    this.#stop = window.on('noticeAction', ({ action }) => {
      const notice = this.#notices.pop()
      if (action === 'follow') notice?.onFollow?.()
      if (this.#notices.length > 0) this.#show()
    })
  }

  /** Shows a notice. It replaces one with the same text. */
  post(notice: PostedNotice): void {
    const former = this.#notices.findIndex(({ text }) => text === notice.text)
    if (former >= 0) this.#notices.splice(former, 1)
    this.#notices.push(notice)
    this.#show()
  }

  [Symbol.dispose](): void {
    this.#stop()
  }

  #show(): void {
    const notice = this.#notices.at(-1)
    if (!notice) return
    const { onFollow: _, ...shown } = notice
    this.#window.setNotice(shown).catch(error =>
      this.#report({
        type: 'notice-unshown',
        code: isServiceLinkError(error) ? error.code : 'ERR_INTERNAL',
      }),
    )
  }
}

import { currentWindow, type PageWindow } from './page-window.ts'
import { SubmitBlockedError, SubmitClosedError } from './submit-errors.ts'
import { submitForm } from './submit-form.ts'

/** Where the result page is going to be displayed. */
export interface Tab {
  /** @throws {SubmitClosedError} when the user has closed it */
  submit(url: string, token: string): void
  /** Closes it, unless it shows something already. */
  discard(): void
}

/**
 * Opens the tab at once, while the click counts: browsers open none a few seconds later. It is empty and belongs to this page
 * until the form is submitted in it; that form needs no name to find it, so that the tab can be cut off from its opener first.
 *
 * @param target `_blank`, name of a window or frame, or `_self`, `_parent`, `_top`, which open nothing
 * @param waitingText what the empty tab says
 * @throws {SubmitBlockedError} when the browser opens none
 */
export function openTab(target: string, waitingText: string): Tab {
  const page = currentWindow()
  const inPlace: Tab = {
    submit: (url, token) => submitForm(page.document, url, token, target),
    discard: () => undefined,
  }
  if (/^_(self|parent|top)$/i.test(target)) return inPlace
  const opened = page.open('', target)
  if (!opened) throw new SubmitBlockedError()
  // One that was there before: only its name leads into it.
  if (!isEmpty(opened)) return inPlace
  opened.opener = null
  if (waitingText) {
    opened.document.title = waitingText
    opened.document.body.textContent = waitingText
  }
  const discard = () => {
    if (!opened.closed && isEmpty(opened)) opened.close()
  }
  return {
    submit: (url, token) => {
      if (opened.closed) throw new SubmitClosedError()
      submitForm(opened.document, url, token, '_self')
    },
    discard,
  }
}

/** Other sites' windows do not tell their address. */
function isEmpty(opened: PageWindow): boolean {
  try {
    return opened.location.href === 'about:blank'
  } catch {
    return false
  }
}

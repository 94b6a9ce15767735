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
 * until the form is submitted in it; that form needs no name to find it, so that a nameless tab can be cut off from its opener
 * first.
 *
 * @param target `_blank`, name of a window or frame, or `_self`, `_parent`, `_top`, which open nothing
 * @param waitingText what the empty tab says
 * @throws {SubmitBlockedError} when the browser opens none
 */
export function openTab(target: string, waitingText: string): Tab {
  const page = currentWindow()
  const intoTarget = (url: string, token: string) => submitForm(page.document, url, token, target)
  if (/^_(self|parent|top)$/i.test(target)) return { submit: intoTarget, discard: () => undefined }
  const opened = page.open('', target)
  if (!opened) throw new SubmitBlockedError()
  const submitWith = (act: Tab['submit']): Tab['submit'] => {
    return (url, token) => {
      // Its name would open another one, which the browser blocks without a word.
      if (opened.closed) throw new SubmitClosedError()
      act(url, token)
    }
  }
  // One that was there before: only its name leads into it, and what it shows stays.
  if (!isEmpty(opened)) return { submit: submitWith(intoTarget), discard: () => undefined }
  // The browser finds a window by its name only as long as it has its opener.
  if (isNameless(target)) opened.opener = null
  if (waitingText) {
    opened.document.title = waitingText
    opened.document.body.textContent = waitingText
  }
  return {
    submit: submitWith((url, token) => submitForm(opened.document, url, token, '_self')),
    discard: () => {
      if (!opened.closed && isEmpty(opened)) opened.close()
    },
  }
}

function isNameless(target: string): boolean {
  return target.toLowerCase() === '_blank'
}

/** Other sites' windows do not tell their address. */
function isEmpty(opened: PageWindow): boolean {
  try {
    return opened.location.href === 'about:blank'
  } catch {
    return false
  }
}

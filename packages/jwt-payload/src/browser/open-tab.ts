import { defineError } from '@service-link/protocol-core/errors'

/** The browser opened no tab: no click caused the call, or a blocker is at work. */
export class SubmitBlockedError extends defineError(
  'ERR_SUBMIT_BLOCKED',
  'The browser opened no tab. Call submitPayload in a click handler, before any await, with the promise of the token.',
) {}

/** The user closed the tab before the token was there. Nothing was posted. */
export class SubmitClosedError extends defineError(
  'ERR_SUBMIT_CLOSED',
  'The tab was closed before the token was there.',
) {}

/** The tab or frame of the result page. */
interface Tab {
  /** @throws {SubmitClosedError} if the user has closed it */
  submit(url: string, token: string): void
  /** Closes it, if it is still empty. */
  discard(): void
}

/**
 * Opens the tab at once: a browser opens one only within seconds after a click. The tab is empty and belongs to this page until
 * the form is submitted in it. That form needs no window name, so a nameless tab can be cut off from its opener first.
 */
export function openTab(target: string, waitingText: string): Tab {
  const opened = /^_(self|parent|top)$/i.test(target) ? undefined : page.open('', target)
  if (opened === null) throw new SubmitBlockedError()
  // Only its name reaches a window that was open before. Its page stays.
  const empty = isEmpty(opened) ? opened : undefined
  if (empty) {
    // The browser finds a window by its name only as long as it has its opener.
    if (/^_blank$/i.test(target)) empty.opener = null
    if (waitingText) empty.document.title = empty.document.body.textContent = waitingText
  }
  return {
    submit: (url, token) => {
      // A submit by name would open another tab, which the browser blocks silently.
      if (opened?.closed) throw new SubmitClosedError()
      submitForm((empty ?? page).document, url, token, empty ? '_self' : target)
    },
    discard: () => {
      if (isEmpty(empty)) empty?.close()
    },
  }
}

/** The address of another site's window cannot be read. */
function isEmpty(opened: PageWindow | undefined): boolean {
  try {
    return opened?.location.href === 'about:blank'
  } catch {
    return false
  }
}

/**
 * Submits a real form with the hidden field `payload` (specification 4.1). Afterwards the form and the token leave the
 * document again: the browser has read them.
 */
function submitForm(document: PageDocument, url: string, token: string, target: string): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  form.target = target
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'payload'
  field.value = token
  form.append(field)
  document.body.append(form)
  form.submit()
  form.remove()
}

/** The used part of a window. It is written out because an importer may have no DOM types. */
interface PageWindow {
  readonly document: PageDocument
  readonly location: { readonly href: string }
  readonly closed: boolean
  opener: unknown
  open(url: string, target: string): PageWindow | null
  close(): void
  addEventListener(type: 'pagehide', listener: () => void): void
  removeEventListener(type: 'pagehide', listener: () => void): void
}

interface PageDocument {
  title: string
  readonly body: PageElement
  createElement(name: 'form'): PageForm
  createElement(name: 'input'): PageInput
}

interface PageElement {
  textContent: string | null
  append(child: PageElement): void
  remove(): void
}

interface PageForm extends PageElement {
  method: string
  action: string
  target: string
  submit(): void
}

interface PageInput extends PageElement {
  type: string
  name: string
  value: string
}

/** The window of the page that runs this script. */
export const page = globalThis as unknown as PageWindow

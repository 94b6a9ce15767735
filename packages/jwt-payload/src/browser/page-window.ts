/** What is used of a window. Structural: the types of the DOM and those of Node cannot both be asked of who imports this. */
export interface PageWindow {
  readonly document: PageDocument
  readonly location: { readonly href: string }
  readonly closed: boolean
  opener: unknown
  open(url: string, target: string): PageWindow | null
  close(): void
  addEventListener(type: 'pagehide', listener: () => void): void
  removeEventListener(type: 'pagehide', listener: () => void): void
}

/** What is used of a document. */
export interface PageDocument {
  title: string
  readonly body: PageElement
  createElement(name: 'form'): PageForm
  createElement(name: 'input'): PageInput
}

/** What is used of an element. */
export interface PageElement {
  textContent: string | null
  hidden: boolean
  append(child: PageElement): void
  remove(): void
}

/** What is used of a form. */
export interface PageForm extends PageElement {
  method: string
  action: string
  target: string
  acceptCharset: string
  submit(): void
}

/** What is used of a form's field. */
export interface PageInput extends PageElement {
  type: string
  name: string
  value: string
}

/** The page that this runs in. */
export function currentWindow(): PageWindow {
  return globalThis as unknown as PageWindow
}

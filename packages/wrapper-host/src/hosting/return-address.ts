/**
 * Where the window goes when its page must be loaded anew: the last address of the web app that can be asked for again. One that
 * was posted to cannot; neither is the middle of a sign-in, on a page of another origin, a place to come back to.
 */
export class ReturnAddress {
  readonly #appUrl: URL
  readonly #posted = new Set<string>()
  #last: string

  constructor(appUrl: string) {
    this.#appUrl = new URL(appUrl)
    this.#last = this.#appUrl.href
  }

  get current(): string {
    return this.#last
  }

  /** Notes an address to which a form is posted. */
  notePosted(url: string): void {
    this.#posted.add(withoutFragment(url))
  }

  /** Notes an address that was loaded. */
  noteLoaded(url: string): void {
    if (URL.parse(url)?.origin === this.#appUrl.origin && !this.isPosted(url)) this.#last = url
  }

  /** Forgets where the user was. */
  forget(): void {
    this.#last = this.#appUrl.href
  }

  /** The address itself where it can be asked for again, else the one to return to. */
  insteadOf(url: string): string {
    return this.isPosted(url) || !/^https?:/.test(url) ? this.#last : url
  }

  /** Whether a form was posted to the address: it cannot be asked for again. */
  isPosted(url: string): boolean {
    return this.#posted.has(withoutFragment(url))
  }
}

/** An address as a server is asked for it. */
function withoutFragment(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  parsed.hash = ''
  return parsed.href
}

/**
 * Address for loading the page anew: the last one of the web app that a GET can load. An address that a form was posted to cannot
 * be loaded so. Pages of other origins, such as a sign-in, are no places to return to.
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

  notePosted(url: string): void {
    this.#posted.add(withoutFragment(url))
  }

  noteLoaded(url: string): void {
    if (URL.parse(url)?.origin === this.#appUrl.origin && !this.isPosted(url)) this.#last = url
  }

  forget(): void {
    this.#last = this.#appUrl.href
  }

  /** The address itself if a GET can load it, else the one to return to. */
  insteadOf(url: string): string {
    return this.isPosted(url) || !/^https?:/.test(url) ? this.#last : url
  }

  isPosted(url: string): boolean {
    return this.#posted.has(withoutFragment(url))
  }
}

function withoutFragment(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  parsed.hash = ''
  return parsed.href
}

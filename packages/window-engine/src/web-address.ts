import { EngineError } from './engine-error.ts'

/** Whether an address is one of http or https, all that a window goes to. */
export function isWebAddress(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}

/** @throws {EngineError} `navigation` for an address of another kind */
export function checkWebAddress(url: string): void {
  if (!isWebAddress(url)) throw new EngineError('navigation', 'Only http and https addresses can be opened.')
}

/** An address as a server is asked for it; a text that is none, as it is. */
export function withoutFragment(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  parsed.hash = ''
  return parsed.href
}

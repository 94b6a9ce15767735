import { InvalidArgumentError } from 'commander'
import { isHttpUrl } from '../http/is-http-url.ts'

/** Reads an option that is a whole number. */
export function integerFrom(min: number, max: number): (text: string) => number {
  return text => {
    const value = Number(text)
    if (!/^\d{1,10}$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It needs a whole number from ${min} to ${max}.`)
    return value
  }
}

/** Collects an option that may be given several times. */
export function collected(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}

/** Reads the address of a receiver. It stays as written: it is compared letter by letter. */
export function addressFrom(text: string): string {
  if (!isHttpUrl(text)) throw new InvalidArgumentError('It needs an absolute address, such as https://….')
  return text
}

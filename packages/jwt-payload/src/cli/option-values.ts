import { InvalidArgumentError } from 'commander'
import { isHttpUrl } from '../http/post-input.ts'

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

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** Reads a moment in ISO 8601 with its zone, or `iat`: when the token says that it was signed. */
export function momentFrom(text: string): Date | 'iat' {
  if (text === 'iat') return text
  const moment = new Date(text)
  if (!momentPattern.test(text) || Number.isNaN(moment.getTime()))
    throw new InvalidArgumentError('It needs iat, or a time with its zone, such as 2026-06-01T12:00:00Z.')
  return moment
}

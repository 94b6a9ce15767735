import { InvalidArgumentError } from 'commander'

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

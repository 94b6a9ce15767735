import { ServiceLinkError } from '@service-link/protocol-core'

/** A brand file that cannot be packed. */
export class BrandFileError extends ServiceLinkError<'ERR_BRAND_FILE'> {
  readonly code = 'ERR_BRAND_FILE'
  readonly file: string
  /** What is wrong: the place in the file, where there is one, and a clause without the value. */
  readonly problems: readonly string[]

  constructor(file: string, problems: readonly string[]) {
    super([`${file} cannot be packed:`, ...problems.map(problem => `  ${problem}`)].join('\n'))
    this.file = file
    this.problems = problems
  }
}

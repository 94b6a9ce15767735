import { ServiceLinkError } from '@service-link/protocol-core'

/** A configuration file that cannot be read as .NET configuration XML. */
export class ConfigFileError extends ServiceLinkError<'ERR_CONFIG_FILE'> {
  readonly code = 'ERR_CONFIG_FILE'
  readonly file: string
  /** Where the fault is, counted from 1; absent when it is the file as a whole. */
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(file: string, problem: string, line?: number, column?: number) {
    super(`${file}${line === undefined ? '' : `, line ${line}, column ${column}`}: ${problem}`)
    this.file = file
    this.line = line
    this.column = column
  }
}

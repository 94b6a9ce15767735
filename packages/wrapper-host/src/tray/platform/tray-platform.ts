import type { TrayError } from '../tray-error.ts'

/** Variables of the process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Everything about the icon that differs between operating systems; one file implements it for each. */
export interface TrayPlatform {
  /**
   * File name of the program in its package.
   *
   * @param architecture Node's `process.arch`
   * @returns `undefined` when there is none for this processor
   */
  programName(architecture: string): string | undefined
  /** Format of the icon's picture. */
  readonly iconFormat: 'png' | 'ico'
  /** Whether a file must be marked as a program to be one. */
  readonly needsPermission: boolean
  /** Why no icon can be shown here, or `undefined` when one can. Touches nothing. */
  problem(environment: Environment): Promise<TrayError | undefined>
  /**
   * Variables that the program gets.
   *
   * @param privateFolder gives a folder of this user alone, made when it is asked for
   */
  programEnvironment(environment: Environment, privateFolder: () => Promise<string>): Promise<Environment>
}

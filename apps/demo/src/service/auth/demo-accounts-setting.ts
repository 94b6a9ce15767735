import { z } from 'zod'
import { isLoopbackName } from '../http/is-loopback-name.ts'

/** The line of `--help`. */
export const demoAccountsHelp = `DEMO_ACCOUNTS  1: makes two accounts whose passwords everybody can read here, 0: makes none
               (1, but 0 where PUBLIC_URL is https on another host than localhost)`

/** The variable. */
export const demoAccountsShape = { DEMO_ACCOUNTS: z.enum(['0', '1']).optional() }

/** What {@link demoAccountsUse} tells. */
export interface DemoAccountsUse {
  readonly areMade: boolean
  /** Others than who sits at this machine may know their way to the log-in. */
  readonly isRisky: boolean
}

/**
 * Whether the accounts with published passwords are made: as the variable says, else everywhere but in what looks like
 * production.
 *
 * @param publicUrl where browsers reach the service; without one that is this machine
 */
export function demoAccountsUse(
  setting: z.output<typeof demoAccountsShape.DEMO_ACCOUNTS>,
  publicUrl: string | undefined,
): DemoAccountsUse {
  const { protocol, hostname } = new URL(publicUrl ?? 'http://localhost')
  const isPublic = !isLoopbackName(hostname)
  const areMade = setting === undefined ? !(isPublic && protocol === 'https:') : setting === '1'
  return { areMade, isRisky: areMade && isPublic }
}

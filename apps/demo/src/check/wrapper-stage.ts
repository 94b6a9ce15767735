import type { ChildProcess } from 'node:child_process'
import type { RunProgramResult } from '../demo/run-program.ts'
import type { DemoServers, UpdateSite } from '../demo/start-servers.ts'
import type { MadeWrapperFolders } from '../demo/wrapper-folders.ts'
import type { Desktop } from './desktop.ts'
import type { PageObserver } from './page-observer.ts'
import type { Story } from './story.ts'

export interface WrapperStage {
  readonly story: Story
  readonly environment: NodeJS.ProcessEnv
  readonly folders: MadeWrapperFolders
  /** Working directory of launches, empty at first. */
  readonly launchFolder: string
  readonly profileFolder: string
  readonly desktop: Desktop | undefined
  readonly servers: DemoServers
  readonly databaseFile: string
  readonly updates: UpdateSite
  /** File with the addresses that the operating system's opener got; `undefined` where it cannot be replaced. */
  readonly openedFile: string | undefined
  readonly otherWindow: string
}

export interface RunningStage extends WrapperStage {
  readonly wrapper: ChildProcess
  readonly pid: number
  readonly page: PageObserver
  /** Starts the executable again in the launch folder, and waits for its end. */
  launch(...args: readonly string[]): Promise<RunProgramResult>
  /** {@link launch}, which must end with 0. */
  launched(...args: readonly string[]): Promise<void>
}

/** Persons of the check's launches. The log must name none of them. */
export const wrapperPersons = {
  kari: { customId: 'wrapper-1001', firstname: 'Kari', lastname: 'Ødegård', dateOfBirth: '1984-02-29' },
  ola: { customId: 'wrapper-1002', firstname: 'Ola', lastname: 'Nordmann', dateOfBirth: '1971-11-05' },
  bo: {
    customId: 'wrapper-1003',
    firstname: 'Bo "B" <i>',
    lastname: 'O’Hara & Sønn',
    dateOfBirth: '2001-01-31',
  },
} as const

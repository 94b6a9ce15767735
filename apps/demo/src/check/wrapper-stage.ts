import type { ChildProcess } from 'node:child_process'
import type { RunProgramResult } from '../demo/run-program.ts'
import type { DemoServers, UpdateSite } from '../demo/start-servers.ts'
import type { MadeWrapperFolders } from '../demo/wrapper-folders.ts'
import type { Desktop } from './desktop.ts'
import type { PageObserver } from './page-observer.ts'
import type { Story } from './story.ts'

/** The parts that the wrapper's chapters share. */
export interface WrapperStage {
  readonly story: Story
  /** Variables with the wrapper's folders, its browser and the screen. */
  readonly environment: NodeJS.ProcessEnv
  readonly folders: MadeWrapperFolders
  /** Working directory of launches, empty at first. */
  readonly launchFolder: string
  /** Profile of the wrapper's browser. */
  readonly profileFolder: string
  readonly desktop: Desktop | undefined
  readonly servers: DemoServers
  /** The service's embedded database. */
  readonly databaseFile: string
  /** Offers a newer version. */
  readonly updates: UpdateSite
  /** File with the addresses that the operating system's opener got; `undefined` where it cannot be replaced. */
  readonly openedFile: string | undefined
  /** Name of a window of another application on the same screen. */
  readonly otherWindow: string
}

/** The stage with a wrapper that runs. */
export interface RunningStage extends WrapperStage {
  readonly wrapper: ChildProcess
  readonly pid: number
  /** Its page. */
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

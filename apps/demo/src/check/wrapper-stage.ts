import type { ChildProcess } from 'node:child_process'
import type { RunProgramResult } from '../demo/run-program.ts'
import type { DemoServers, UpdateSite } from '../demo/start-servers.ts'
import type { MadeWrapperFolders } from '../demo/wrapper-folders.ts'
import type { Desktop } from './desktop.ts'
import type { PageObserver } from './page-observer.ts'
import type { Story } from './story.ts'

/** What the stories of the wrapper are told with. */
export interface WrapperStage {
  readonly story: Story
  /** Leads to the wrapper's folders, its browser and the screen. */
  readonly environment: NodeJS.ProcessEnv
  readonly folders: MadeWrapperFolders
  /** An empty folder, from which launches are started. */
  readonly launchFolder: string
  /** Profile of the wrapper's browser. */
  readonly profileFolder: string
  readonly desktop: Desktop | undefined
  readonly servers: DemoServers
  /** The service's embedded database. */
  readonly databaseFile: string
  /** Offers a newer version. */
  readonly updates: UpdateSite
  /** File in which the operating system's opener writes down what it is given; `undefined` where it cannot be replaced. */
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
  /** Starts the executable once more, in the launch folder, and waits for its end. */
  launch(...args: readonly string[]): Promise<RunProgramResult>
}

/** People that the launches of the check select; nobody else may know of them. */
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

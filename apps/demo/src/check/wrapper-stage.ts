import type { ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunProgramResult, runProgram } from '../demo/run-program.ts'
import { createUpdateSite, type DemoServers, type UpdateSite } from '../demo/start-servers.ts'
import { type MadeWrapperFolders, makeWrapperFolders } from '../demo/wrapper-folders.ts'
import type { Desktop } from './desktop.ts'
import type { PageObserver } from './page-observer.ts'
import { expectEqual, type Story } from './story.ts'

/** What the shared stories see of the wrapper's page, drawn by a browser or in memory. */
export interface ShownPage {
  personInFocus(): Promise<string | undefined>
  /** Waits until the person with this CustomId is in focus. */
  waitForPerson(customId: string): Promise<void>
  /** Waits until the search for exercises has this text. */
  waitForSearch(text: string): Promise<void>
  waitForWorkout(id: number): Promise<void>
  /** Gives the person in focus the first workout of the library. */
  giveWorkout(): Promise<void>
}

export interface WrapperStage {
  readonly story: Story
  readonly environment: NodeJS.ProcessEnv
  readonly folders: MadeWrapperFolders
  /** Working directory of launches, empty at first. */
  readonly launchFolder: string
  readonly servers: DemoServers
  /** Why no real window is shown; `undefined` when one is. */
  readonly windowProblem: string | undefined
}

interface Launched extends WrapperStage {
  readonly pid: number
  readonly shown: ShownPage
  /** Exit code of the wrapper, at its end. */
  readonly ended: Promise<number | null>
  /** Starts the executable again in the launch folder, and waits for its end. */
  launch(...args: readonly string[]): Promise<RunProgramResult>
  /** {@link launch}, which must end with 0. */
  launched(...args: readonly string[]): Promise<void>
}

export interface Drawn {
  readonly profileFolder: string
  readonly desktop: Desktop | undefined
  readonly databaseFile: string
  readonly updates: UpdateSite
  /** File with the addresses that the operating system's opener got; `undefined` where it cannot be replaced. */
  readonly openedFile: string | undefined
  readonly otherWindow: string
  readonly wrapper: ChildProcess
  readonly page: PageObserver
}

/** A running wrapper whose page a browser draws. */
export interface RunningStage extends Launched, Drawn {}

/** A running wrapper whose page a browser draws, or is in memory. */
export interface LaunchStage extends Launched, Partial<Drawn> {}

export interface ToldWith {
  readonly story: Story
  /** Temporary folder of the check. */
  readonly folder: string
  readonly servers: DemoServers
}

/** Makes what each wrapper of the check needs: its folders, a site that offers a newer one, and a working directory. */
export async function prepareWrapper({ story, folder, servers }: ToldWith, engine: string) {
  const launchFolder = join(folder, 'launch')
  await mkdir(launchFolder)
  const updates = await createUpdateSite('3.1.0.0')
  const settings = { AppUrl: servers.service.url, UpdateUrl: updates.url, BrowserEngine: engine }
  const folders = await makeWrapperFolders({ folder, settings })
  const environment = { ...process.env, ...folders.environment }
  return { story, servers, launchFolder, updates, folders, environment }
}

/** The two ways to start the executable again. */
export function launchesOf({
  environment,
  launchFolder,
}: WrapperStage): Pick<LaunchStage, 'launch' | 'launched'> {
  const launch: LaunchStage['launch'] = (...args) =>
    runProgram('wrapper', args, { environment, workingDirectory: launchFolder })
  return {
    launch,
    async launched(...args) {
      const { exitCode, errors } = await launch(...args)
      expectEqual(`exit code (${errors.trim()})`, exitCode, 0)
    },
  }
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

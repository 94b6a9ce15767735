import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunProgramResult, runProgram } from '../demo/run-program.ts'
import { createUpdateSite, type DemoServers } from '../demo/start-servers.ts'
import { makeWrapperFolders } from '../demo/wrapper-folders.ts'
import type { Desktop } from '../desktop/desktop.ts'
import type { PageObserver } from '../desktop/page-observer.ts'
import { expectEqual, type Story } from './story.ts'

/** The wrapper's page, drawn by a browser or in memory. */
export interface ShownPage {
  logIn(): Promise<void>
  personInFocus(): Promise<string | undefined>
  /** Waits until the person with this CustomId is in focus. */
  waitForPerson(customId: string): Promise<void>
  /** Waits until the search for exercises has this text. */
  waitForSearch(text: string): Promise<void>
  waitForWorkout(id: number): Promise<void>
  /** Waits for the notice of a newer version above the page. */
  waitForNotice(text: string): Promise<void>
  /** Gives the person in focus the first workout of the library. */
  giveWorkout(): Promise<void>
}

/** What only a page that a browser draws has. */
export interface Drawn {
  readonly page: PageObserver
  readonly profileFolder: string
  readonly desktop: Desktop | undefined
  /** File with the addresses that the operating system's opener got; `undefined` where it cannot be replaced. */
  readonly openedFile: string | undefined
  /** Title of another application's window. */
  readonly otherWindow: string
}

export type WrapperPlace = Awaited<ReturnType<typeof prepareWrapper>>

/** A running wrapper. */
export interface WrapperStage extends WrapperPlace {
  readonly shown: ShownPage
  readonly pid: number
  /** Exit code of the wrapper, at its end. */
  readonly ended: Promise<number | null>
  readonly drawn?: Drawn
}

interface PrepareOptions {
  readonly story: Story
  /** Temporary folder of the check. */
  readonly folder: string
  readonly servers: DemoServers
  readonly engine: 'EoWebBrowser' | 'Headless'
  /** Why no real window is shown. */
  readonly windowProblem: string
  readonly environment?: NodeJS.ProcessEnv
}

/** Makes what a wrapper of the check needs: its folders, a site that offers a newer one, and a working directory. */
export async function prepareWrapper(options: PrepareOptions) {
  const { folder, servers, engine, environment: more, ...told } = options
  const launchFolder = join(folder, 'launch')
  await mkdir(launchFolder)
  const updates = await createUpdateSite('3.1.0.0')
  const settings = { AppUrl: servers.service.url, UpdateUrl: updates.url, BrowserEngine: engine }
  const folders = await makeWrapperFolders({ folder, settings })
  const environment = { ...process.env, ...folders.environment, ...more }
  /** Starts the executable again in the launch folder, and waits for its end. */
  const launch = (...args: readonly string[]): Promise<RunProgramResult> =>
    runProgram('wrapper', args, { environment, workingDirectory: launchFolder })
  /** {@link launch}, which must end with 0. */
  const launched = async (...args: readonly string[]): Promise<void> => {
    const { exitCode, errors } = await launch(...args)
    expectEqual(`exit code (${errors.trim()})`, exitCode, 0)
  }
  return { ...told, servers, launchFolder, updates, folders, environment, launch, launched }
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

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunProgramResult, runProgram } from '../demo/run-program.ts'
import type { DemoServers } from '../demo/start-servers.ts'
import { makeWrapperFolders } from '../demo/wrapper-folders.ts'
import { expectEqual, type Story } from './story.ts'

export type WrapperPlace = Awaited<ReturnType<typeof prepareWrapper>>

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

/** Makes what a wrapper of the check needs: its folders and a working directory. */
export async function prepareWrapper(options: PrepareOptions) {
  const { folder, servers, engine, environment: more, ...told } = options
  const launchFolder = join(folder, 'launch')
  await mkdir(launchFolder)
  const settings = { AppUrl: servers.service.url, BrowserEngine: engine }
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
  const pipe = (...args: readonly string[]) => runProgram('pipe', args, { environment })
  /** {@link pipe}, which must end with 0. Returns the output. */
  const piped = async (...args: readonly string[]): Promise<string> => {
    const { exitCode, output, errors } = await pipe(...args)
    expectEqual(`exit code of ${args[0]} (${errors.trim()})`, exitCode, 0)
    return output.trim()
  }
  /** Writes a file of this user alone into the launch folder. Returns its path. */
  const put = async (name: string, text: string): Promise<string> => {
    await writeFile(join(launchFolder, name), text, { mode: 0o600 })
    return join(launchFolder, name)
  }
  return { ...told, servers, launchFolder, folders, environment, launch, launched, pipe, piped, put }
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

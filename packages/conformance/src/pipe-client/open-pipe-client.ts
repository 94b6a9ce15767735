import {
  createMemoryWebApp,
  type MemoryWebAppOptions,
  startTestWrapper,
  type TestWrapper,
} from '@service-link/wrapper-host/testing'
import { type ProgramEnd, runProgram } from '../programs/run-program.ts'
import { startTap, type Tap, type TapOptions, tapDisplay } from './start-tap.ts'

/** A program that asks the wrapper: `{program} <command> key=value …`. */
export interface PipeClientTarget {
  /** Words of its command line. */
  readonly program: readonly string[]
}

/** The program under test. */
export interface PipeClientSubject extends AsyncDisposable {
  /** Starts a wrapper with a web app in memory, and a tap before it. */
  startWrapper(data?: MemoryWebAppOptions, options?: TapOptions): Promise<Desk>
  /** Runs the program, which finds the wrapper by its record in this place. */
  ask(place: RecordPlace, signal: AbortSignal, ...words: readonly string[]): Promise<ProgramEnd>
}

/** Where a program finds a wrapper. */
export interface RecordPlace {
  readonly userFolder: string
  /** Display of the program on Linux. Default: that of the tap's record. */
  readonly display?: string
}

/** A wrapper, and the tap that the program finds in its place. */
export interface Desk extends AsyncDisposable {
  readonly wrapper: TestWrapper
  readonly tap: Tap
}

export async function openPipeClient({ program }: PipeClientTarget): Promise<PipeClientSubject> {
  return {
    startWrapper,
    ask: ({ userFolder, display = tapDisplay }, signal, ...words) =>
      runProgram([...program, ...words], {
        signal,
        environment: { DISPLAY: display, WAYLAND_DISPLAY: '', SERVICE_WRAPPER_DATA: userFolder },
      }),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

/** Version of the runner's wrapper. */
export const wrapperVersion = '3.1.4.1'

async function startWrapper(data: MemoryWebAppOptions = {}, options: TapOptions = {}): Promise<Desk> {
  const wrapper = await startTestWrapper({ version: wrapperVersion, webApp: createMemoryWebApp(data) })
  try {
    const tap = await startTap({ relayTo: wrapper.pipeAddress, ...options })
    return {
      wrapper,
      tap,
      async [Symbol.asyncDispose]() {
        await tap[Symbol.asyncDispose]()
        await wrapper.close()
      },
    }
  } catch (error) {
    await wrapper.close()
    throw error
  }
}

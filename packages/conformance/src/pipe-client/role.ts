import type { Role } from '../scenario.ts'
import { commandScenarios } from './command-scenarios.ts'
import { desktopScenarios } from './desktop-scenarios.ts'
import { failureScenarios } from './failure-scenarios.ts'
import { openPipeClient, type PipeClientSubject, type PipeClientTarget } from './open-pipe-client.ts'

/** A program that drives the wrapper by its pipe. */
export const pipeClientRole: Role<PipeClientTarget, PipeClientSubject> = {
  name: 'pipe-client',
  scenarios: [...commandScenarios, ...desktopScenarios, ...failureScenarios],
  describe: ({ program }) => program.join(' '),
  open: openPipeClient,
}

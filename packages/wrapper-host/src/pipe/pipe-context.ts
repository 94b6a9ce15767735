import type { HelloReply } from '@service-link/protocol-core'
import type { CommandRunner } from '../command/command-runner.ts'
import type { PipeLimits } from './pipe-limits.ts'
import type { SessionSource } from './session-source.ts'

/** What every connection of one server shares. */
export interface PipeContext {
  readonly runner: Pick<CommandRunner, 'run' | 'runOwn' | 'throwIfClosing'>
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string
  readonly limits: PipeLimits
  /** What `hello` is answered with. */
  readonly hello: HelloReply
  readonly session: SessionSource
}

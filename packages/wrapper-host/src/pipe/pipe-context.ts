import type { HelloReply } from '@service-link/protocol-core'
import type { CommandRunner } from '../command/command-runner.ts'
import type { BodyBytes } from './body-bytes.ts'
import type { UnsentBytes } from './outbox.ts'
import type { PipeLimits } from './pipe-limits.ts'
import type { SessionSource } from './session-source.ts'
import type { SharedTurns } from './shared-turns.ts'

/** What every connection of one server shares. */
export interface PipeContext {
  readonly runner: Pick<CommandRunner, 'begin' | 'runOwn' | 'throwIfClosing'>
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string
  readonly limits: PipeLimits
  /** What `hello` is answered with. */
  readonly hello: HelloReply
  readonly session: SessionSource
  /** Counts the bodies of requests in flight. */
  readonly bodyBytes: BodyBytes
  /** Counts what waits for clients to read it. */
  readonly unsent: UnsentBytes
  /** Where bodies that are longer than all of a turn are looked at. */
  readonly largeBodies: SharedTurns
}

import type { CommandName } from '@service-link/protocol-core'
import type { Brand } from '@service-link/protocol-core/brand'
import type { WrapperEventType } from '../../client/wrapper-client.ts'
import type { Shell } from '../facts/command-facts.ts'

/** Which wrapper is asked, and how long. */
export interface Target {
  readonly brand: Brand
  readonly pid: number | undefined
  /** Longest wait, in milliseconds. */
  readonly timeoutMs: number | undefined
  /** Whether a wrapper is started when none is running. */
  readonly startIfNeeded: boolean
}

/** What the person at the terminal asks for. */
export type CommandLine =
  | { readonly action: 'help'; readonly text: string }
  | {
      readonly action: 'list'
      readonly brand: Brand
      /** Whether the brand is not known but for its prefix: then whose a pipe is cannot be judged. */
      readonly isPrefixAlone: boolean
    }
  | { readonly action: 'completion'; readonly shell: Shell }
  | { readonly action: 'status'; readonly target: Target }
  | {
      readonly action: 'watch'
      readonly target: Target
      /** Events to be told; `undefined` for all. */
      readonly events: readonly WrapperEventType[] | undefined
      /** Ends after so many. */
      readonly count: number | undefined
    }
  | {
      readonly action: 'command'
      readonly target: Target
      readonly name: CommandName
      /** Arguments as they travel. */
      readonly args: Readonly<Record<string, unknown>>
    }

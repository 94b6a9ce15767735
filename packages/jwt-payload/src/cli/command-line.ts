import type { ExplainRequest } from './commands/explain-command.ts'
import type { KeygenRequest } from './commands/keygen-command.ts'
import type { PostRequest } from './commands/post-command.ts'
import type { SignRequest } from './commands/sign-command.ts'
import type { VerifyRequest } from './commands/verify-command.ts'

/** What the person at the terminal asks for. */
export type CommandLine =
  | { readonly action: 'help'; readonly text: string }
  | KeygenRequest
  | SignRequest
  | VerifyRequest
  | ExplainRequest
  | PostRequest

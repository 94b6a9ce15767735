import type { HostPort } from '../web-app/page/messages.ts'
import type { MemorySession } from './memory-window.ts'

/** A form that was posted in the window: the partner link's. */
export interface PostedForm {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
}

/** What lies outside the windows of a memory engine. */
export interface MemoryWorld {
  /** Whether servers answer. */
  readonly isOnline: boolean
  /** Loads the web app into a document; the function returned ends it. */
  load(port: HostPort, session: MemorySession): () => void
  /** Answers a form that was posted in the window, with the status. */
  answerPost(post: PostedForm): Promise<number>
}

import { type Command, type CommandName, commands, maxReplyFrameBytes } from '@service-link/protocol-core'
import { unlessAborted } from '../command/time-limit.ts'

/** Room that is kept for one reply. */
export interface ReplyPlace {
  readonly name: CommandName
  readonly byteCount: number
}

/**
 * Sees to it that replies fit into what may wait for a client: of commands whose replies are lists, of any length, only so many are
 * begun as have room. How long a list is shows when the first has come; until then it is taken for as long as a frame may be.
 */
export class ReplyRoom {
  readonly #maxBytes: number
  readonly #longest = new Map<CommandName, number>()
  readonly #waiting = new Set<() => void>()
  #keptBytes = 0
  #isHeld = false

  /** @param maxBytes of all replies for which room is kept; a single one has its room in any case */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * Keeps room for the reply to a command.
   *
   * @returns undefined when there is none now, or others wait
   */
  take(name: CommandName): ReplyPlace | undefined {
    return this.#waiting.size === 0 ? this.#take(name) : undefined
  }

  /** Waits for room, in order. Rejects with the signal's reason. */
  async wait(name: CommandName, signal: AbortSignal): Promise<ReplyPlace> {
    const { promise, resolve } = Promise.withResolvers<ReplyPlace>()
    const enter = () => {
      const place = this.#take(name)
      if (!place) return
      this.#waiting.delete(enter)
      resolve(place)
    }
    this.#waiting.add(enter)
    try {
      return await unlessAborted(promise, signal)
    } catch (error) {
      // It may have got its room in this very moment.
      if (!this.#waiting.delete(enter)) void promise.then(place => this.leave(place))
      this.#letIn()
      throw error
    }
  }

  /** Notes how long a reply was. */
  note(name: CommandName, byteCount: number): void {
    this.#longest.set(name, Math.max(this.#longest.get(name) ?? 0, byteCount))
  }

  /** Gives the room back. */
  leave({ byteCount }: ReplyPlace): void {
    this.#keptBytes -= byteCount
    this.#letIn()
  }

  /** Gives out no room for as long as it is held. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
    this.#letIn()
  }

  #take(name: CommandName): ReplyPlace | undefined {
    const byteCount = this.#longest.get(name) ?? maxReplyFrameBytes
    const hasRoom = this.#keptBytes === 0 || this.#keptBytes + byteCount <= this.#maxBytes
    if (this.#isHeld || !hasRoom) return undefined
    this.#keptBytes += byteCount
    return { name, byteCount }
  }

  #letIn(): void {
    for (const enter of this.#waiting) {
      enter()
      if (this.#waiting.has(enter)) break
    }
  }
}

/** Whether the reply to a command is a list, which may be long. */
export function hasLongReply({ name }: Command): boolean {
  const { reply } = commands[name]
  return typeof reply !== 'string' && reply.type === 'array'
}

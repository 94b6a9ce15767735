import { PipeOverflowError } from '../errors/pipe-error.ts'

interface Reader<Value> {
  readonly resolve: (result: IteratorResult<Value, undefined>) => void
  readonly reject: (reason: unknown) => void
}

/** What came for one iteration and was not read yet, in order and bounded, and how the iteration ends. */
export class EventQueue<Value> {
  readonly #maxQueued: number
  readonly #onEnd: () => void
  #unread: Value[] = []
  /** Reads that came before there was anything to read. */
  readonly #readers: Reader<Value>[] = []
  /** Set once it has ended; with an error that is still to be thrown, or none. */
  #end: { readonly error: unknown } | undefined

  /** @param onEnd called once, when nothing further is taken */
  constructor(maxQueued: number, onEnd: () => void) {
    this.#maxQueued = maxQueued
    this.#onEnd = onEnd
  }

  /** Takes a value. One too many ends it; the reader gets to that after those that came before. */
  push(value: Value): void {
    if (this.#end) return
    const reader = this.#readers.shift()
    if (reader) reader.resolve({ done: false, value })
    else if (this.#unread.length < this.#maxQueued) this.#unread.push(value)
    else this.end(new PipeOverflowError(this.#maxQueued))
  }

  /** Ends it after what is unread, with an error or in peace. */
  end(error?: unknown): void {
    if (this.#end) return
    this.#end = { error }
    for (const reader of this.#readers.splice(0)) this.#finish(reader)
    this.#onEnd()
  }

  /** Ends it at once; what is unread is lost. */
  cut(error?: unknown): void {
    this.#unread = []
    if (this.#end) this.#end = { error: undefined }
    this.end(error)
  }

  next(): Promise<IteratorResult<Value, undefined>> {
    return new Promise((resolve, reject) => {
      const value = this.#unread.shift()
      if (value !== undefined) resolve({ done: false, value })
      else if (this.#end) this.#finish({ resolve, reject })
      else this.#readers.push({ resolve, reject })
    })
  }

  /** The error is thrown once; later reads find the end. */
  #finish({ resolve, reject }: Reader<Value>): void {
    const error = this.#end?.error
    this.#end = { error: undefined }
    if (error === undefined) resolve({ done: true, value: undefined })
    else reject(error)
  }
}

import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { systemProgram } from '@service-link/protocol-core/brand'
import { Deadline } from '@service-link/protocol-core/time'
import { openSystemLibrary } from '@service-link/protocol-core/windows'
import { runWindow } from './run-window.ts'

const functions = {
  PostMessageW: { return: 'int32', arguments: ['uint64', 'uint32', 'uint64', 'int64'] },
} as const
const processFunctions = {
  TerminateProcess: { return: 'int32', arguments: ['int64', 'uint32'] },
} as const

/** A message of Windows, or the answer to {@link MessageWindow.openMenu}. */
export interface WindowMessage {
  readonly message: number
  readonly first: bigint
  readonly second: bigint
}

/** Messages between this thread and the window's: application-defined ones of Windows. */
export const ownMessages = {
  icon: 0x8001,
  openMenu: 0x8002,
  chosen: 0x8003,
  close: 0x8004,
  notify: 0x8005,
} as const

/** `WM_ENDSESSION`, when the session really ends. */
export const sessionEnds = 0x0016

/** What the thread of a window says first. */
interface OpenedWindow {
  readonly window: bigint
  readonly taskbarCreated: number
}

/** What the taskbar did with an icon. */
interface TaskbarAnswer {
  readonly number: number
  readonly isDone: boolean
}

/** Longest wait for the thread of a window to end, in milliseconds. */
const endMs = 2000
/** Windows ends a process five seconds after it has told its window that the session ends, or when that has answered. */
const sessionEndMs = 4500

/**
 * A hidden top-level window in a thread of its own, which waits for messages of Windows without taking processor time. Broadcasts
 * reach top-level windows only. The thread also speaks to the taskbar: one that hangs holds up nothing else. It removes the window's
 * icon before the window.
 *
 * When the session ends, Windows waits for the thread, and the thread for the end of this process, within limits.
 */
export class MessageWindow implements AsyncDisposable {
  /** `HWND` */
  readonly handle: bigint
  /** The message with which a new taskbar asks for icons. */
  readonly taskbarCreated: number
  /** Resolves when the thread has ended. Never rejects. */
  readonly ended: Promise<void>
  /** Gets each message. */
  onMessage: ((message: WindowMessage) => void) | undefined
  readonly #post: (message: number, first: bigint, second: bigint) => void
  readonly #worker: Worker
  readonly #state: Int32Array
  readonly #answers = new Map<number, (isDone: boolean) => void>()
  #lastNumber = 0
  #isSessionEnding = false
  readonly #endNow = () => this.#endBeforeExit()

  /**
   * @param title name of the window, which some lists of programs show
   * @param timeoutMs longest wait for the window in milliseconds
   * @returns `undefined` on other systems, and without `node:ffi`
   * @throws the signal's reason, `onTimeout`'s error, or an error if the window cannot be made
   */
  static async open(
    title: string,
    timeoutMs: number,
    onTimeout: () => Error,
    signal?: AbortSignal,
  ): Promise<MessageWindow | undefined> {
    const user32 = openSystemLibrary('user32', functions)
    if (!user32) return undefined
    const state = new Int32Array(new SharedArrayBuffer(8))
    const libraries = { user32: systemProgram('user32.dll'), shell32: systemProgram('shell32.dll') }
    const workerData = { libraries, title, messages: ownMessages, sessionEnds, sessionEndMs, state }
    // A packed executable has no file that a thread could begin with.
    // An import would load the module at each start, also where there is no icon.
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const worker = new Worker(`(${runWindow})()`, { eval: true, workerData })
    worker.unref()
    const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
    const opening = once(worker, 'message').then(
      ([opened]) => new MessageWindow(worker, opened, ended, state, user32.PostMessageW),
    )
    try {
      return await new Deadline(timeoutMs, signal).waitFor(opening, onTimeout)
    } catch (error) {
      void opening.then(window => window[Symbol.asyncDispose]()).catch(() => undefined)
      throw error
    }
  }

  private constructor(
    worker: Worker,
    { window, taskbarCreated }: OpenedWindow,
    ended: Promise<void>,
    state: Int32Array,
    post: (window: bigint, message: number, first: bigint, second: bigint) => unknown,
  ) {
    this.handle = window
    this.taskbarCreated = taskbarCreated
    this.ended = ended
    this.#worker = worker
    this.#state = state
    this.#post = (message, first, second) => void post(window, message, first, second)
    worker.on('message', (told: WindowMessage | TaskbarAnswer) => this.#hear(told))
    // Its end is told by `ended`.
    worker.on('error', () => undefined)
    process.on('exit', this.#endNow)
    void ended.then(() => {
      process.off('exit', this.#endNow)
      for (const answer of this.#answers.values()) answer(false)
    })
  }

  #hear(told: WindowMessage | TaskbarAnswer): void {
    if ('number' in told) {
      this.#answers.get(told.number)?.(told.isDone)
      this.#answers.delete(told.number)
      return
    }
    if (told.message === sessionEnds) this.#isSessionEnding = true
    this.onMessage?.(told)
  }

  /**
   * Shows or changes the window's icon.
   *
   * @param data `NOTIFYICONDATAW`
   * @returns whether the taskbar did so; false when the window is closed. As late as a busy taskbar answers
   */
  notify(action: 'show' | 'change', data: Uint8Array): Promise<boolean> {
    if (Atomics.load(this.#state, 0) !== 0) return Promise.resolve(false)
    const number = ++this.#lastNumber
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#answers.set(number, resolve)
    this.#worker.postMessage({ number, action, data })
    this.#post(ownMessages.notify, 0n, 0n)
    return promise
  }

  /** Opens a menu (`HMENU`) at a place of the screen. {@link ownMessages} `chosen` tells the chosen command, or 0. */
  openMenu(menu: bigint, place: bigint): void {
    this.#post(ownMessages.openMenu, menu, place)
  }

  /** Closes the window. Resolves when its thread has ended, or does not end in time. At the end of a session it ends with the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.onMessage = undefined
    this.#post(ownMessages.close, 0n, 0n)
    if (this.#isSessionEnding) return
    await new Deadline(endMs).waitFor(this.ended, () => new Error()).catch(() => undefined)
  }

  /** A process that exits waits for all its threads, and Node aborts it when a callback runs in a thread that it ends. */
  #endBeforeExit(): void {
    Atomics.store(this.#state, 1, 1)
    Atomics.notify(this.#state, 1)
    this.#post(ownMessages.close, 0n, 0n)
    if (Atomics.wait(this.#state, 0, 0, endMs) !== 'timed-out') return
    const thisProcess = -1n
    openSystemLibrary('kernel32', processFunctions)?.TerminateProcess(
      thisProcess,
      Number(process.exitCode ?? 0),
    )
  }
}

import type { Brand, Person } from '@service-link/protocol-core'
import type { OwnPage, WindowAppearance, WindowNotice, WindowState } from '@service-link/window-engine'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { HandOffOutcome } from '../start/hand-off.ts'
import type { HandlerCall, NextCallOptions } from './call-log.ts'
import type { PostedForm } from './memory-world.ts'

/** What a user sees of the window, and does with it. */
export interface TestWindow {
  /** `closed` after the wrapper's end. */
  readonly state: WindowState
  /** The wrapper's own page, while it is shown in place of the web app. */
  readonly ownPage: OwnPage | undefined
  /** The notice above the page. */
  readonly notice: WindowNotice | undefined
  /**
   * Presses a button of the own page.
   *
   * @throws {RangeError} when no button has this action
   */
  pressButton(action: string): void
  /**
   * Follows the notice, or puts it away.
   *
   * @throws {RangeError} when there is none
   */
  pressNotice(action: 'follow' | 'dismiss'): void
  /** Closes the window as its user does: it is minimised while somebody is signed in, else the wrapper exits. */
  closeByUser(): void
  /** Moves the window, or zooms the page. */
  changeAppearance(appearance: WindowAppearance): void
  /** Loads the page again. */
  reload(): void
}

/** A real wrapper with a web app in memory. What is told of it is as of the moment in which it is read. */
export interface TestWrapper extends AsyncDisposable {
  /** The wrapper's process: this one. */
  readonly pid: number
  /** Address of its named pipe, as `net.connect` takes it. */
  readonly pipeAddress: string
  /** The names that it uses. */
  readonly brand: Brand
  /** Its two folders, removed at the end. Clients find it by the second: `connectWrapper({ userFolder })`. */
  readonly folders: WrapperFolders
  /** Every command that reached the web app. */
  readonly calls: readonly HandlerCall[]
  /** Every form that was posted in the window, such as the partner link's. */
  readonly posts: readonly PostedForm[]
  /** What the wrapper said of faults, a sentence each. */
  readonly notices: readonly string[]
  /** What handlers threw beside `HostCallError`; the caller of the wrapper learns nothing of it. */
  readonly pageErrors: readonly unknown[]
  readonly window: TestWindow
  /** Settles when it has exited, for whatever reason; see `RunningWrapper.closed`. */
  readonly closed: Promise<void>
  /**
   * The first command that was not returned here yet, now or when it comes.
   *
   * @throws {NoCallError} when none comes in time
   */
  nextCall(options?: NextCallOptions): Promise<HandlerCall>
  /**
   * Starts the executable once more with these arguments: a real hand-off, through the socket.
   *
   * @throws {ClosingError} when the wrapper has exited
   */
  launch(...argv: readonly string[]): Promise<HandOffOutcome>
  /** Somebody signs in to the web app. */
  signIn(): void
  /** Whoever is signed in signs out in the web app. */
  signOut(): void
  /** A person is put in focus in the web app, by its user. */
  selectInPage(person: Person): void
  /** The page's process ends; the wrapper starts it anew. */
  crashPage(): void
  /** The page answers nothing from now on, until it is restarted. */
  hangPage(): void
  /** The engine's processes are ended from outside; the wrapper opens a new window, with the session that it has kept. */
  loseEngine(): void
  /** No server answers from now on; a page that is there stays until it is loaded again. */
  goOffline(): void
  /** Servers answer again. */
  goOnline(): void
  /** Exits the wrapper and removes its folders. */
  close(): Promise<void>
}

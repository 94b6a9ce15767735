import type { PageObserver } from '../check/page-observer.ts'
import type { RunProgramResult } from '../demo/run-program.ts'
import type { DemoServers } from '../demo/start-servers.ts'
import type { Camera, PictureArea } from './camera.ts'
import type { NotificationArea } from './notification-area.ts'

/** What the pictures are taken of: a wrapper with an employee signed in, before the partner's journal. */
export interface PictureStage {
  readonly camera: Camera
  /** The wrapper's window with its frame. */
  readonly wrapperArea: PictureArea
  /** The corner of the screen with the icon and its menu. */
  readonly trayArea: PictureArea
  readonly page: PageObserver
  readonly servers: DemoServers
  readonly notificationArea: NotificationArea
  /** Starts the wrapper's executable once more and waits for its end. */
  launch(...args: readonly string[]): Promise<RunProgramResult>
}

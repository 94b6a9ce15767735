import type { PictureStage } from './picture-stage.ts'

/** The icon in the notification area with its menu open. */
export async function takeTrayMenu({ camera, notificationArea, trayArea }: PictureStage): Promise<void> {
  await notificationArea.openMenu()
  await camera.take('tray-menu', trayArea)
  await notificationArea.closeMenu()
}

import { eventually } from '../check/expect.ts'
import type { PictureStage } from './picture-stage.ts'

/** The wrapper's own page while the service is away. */
export async function takeUnreachable({ camera, page, servers, wrapperArea }: PictureStage): Promise<void> {
  await servers.stopService()
  await page.reload()
  await eventually('The wrapper’s own page', async () =>
    (await page.allText()).includes('cannot be reached') ? true : undefined,
  )
  await page.settle()
  await camera.take('unreachable', wrapperArea)
  await servers.startService()
}

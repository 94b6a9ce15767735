import { eventually } from '../check/expect.ts'
import type { PictureStage } from './picture-stage.ts'

/** The notice of a newer version at the bottom of the web app; it is put away afterwards. */
export async function takeUpdateNotice({ camera, page, wrapperArea }: PictureStage): Promise<void> {
  const isThere = async () => (await page.allText()).includes('A newer version')
  await eventually('The notice', async () => ((await isThere()) ? true : undefined))
  await page.settle()
  await camera.take('update-notice', wrapperArea)
  await page.clickButton('Dismiss')
  await eventually('The end of the notice', async () => ((await isThere()) ? undefined : true))
}

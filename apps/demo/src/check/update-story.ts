import { readFile } from 'node:fs/promises'
import { eventually, expectEqual } from './expect.ts'
import type { RunningStage } from './wrapper-stage.ts'

/** The notice of a newer version above the web app, which is followed. */
export async function tellUpdateStory({ story, page, updates, openedFile }: RunningStage): Promise<void> {
  await story.step('a newer version is offered above the web app', async () => {
    await eventually('The notice', async () =>
      (await page.allText()).includes('A newer version of Service is available: 3.1.0.0.') ? true : undefined,
    )
  })

  const isGone = async () => ((await page.allText()).includes('A newer version') ? undefined : true)
  if (openedFile === undefined) {
    await story.step('the offer is put away', async () => {
      await page.clickButton('Dismiss')
      await eventually('The end of the notice', isGone)
    })
    return
  }
  await story.step('following it opens the installer’s address in the user’s own browser', async () => {
    await page.clickButton('Download')
    const opened = await eventually('What was opened', async () => {
      const text = await readFile(openedFile, 'utf8').catch(() => '')
      return text.endsWith('\n') ? text.trim() : undefined
    })
    expectEqual('opened', opened, updates.installerUrl)
    await eventually('The end of the notice', isGone)
  })
}

import { hasBrowser } from '@service-link/test-kit/test-window'
import { wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test } from 'vitest'
import { hasTrayDisplay, startTrayDisplay } from '../support/tray-display.ts'

describe.skipIf(!hasTrayDisplay || !hasBrowser)('service-webwrapper with an icon', () => {
  test('ends in order after “Close” in the icon’s menu, and the icon disappears', async () => {
    await using display = await startTrayDisplay()
    const { environment } = display
    await using executable = await wrapperExecutable({ engine: 'EoWebBrowser', environment })
    const { ended, isWrapper } = executable.start()
    await isWrapper
    await display.iconAppears()
    await display.openMenu()
    await display.choose(2, 3)
    expect(await ended).toMatchObject({ exitCode: 0 })
    await display.iconGoes()
  })
})

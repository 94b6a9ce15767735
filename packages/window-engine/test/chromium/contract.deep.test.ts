import { describeContract } from '@service-link/test-kit/describe-contract'
import { hasDisplay, startDisplay } from '@service-link/test-kit/display'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { afterAll } from 'vitest'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'
import type { Engine } from '../../src/engine.ts'

/** Cases that a display changes; the others run without one. */
const ofDisplay = /minimizes|its user|opens with a zoom/

if (hasBrowser && hasDisplay) {
  const display = await startDisplay()
  afterAll(() => display[Symbol.asyncDispose]())
  const engine: Engine = createChromiumEngine({
    environment: display.environment,
    openExternal: () => undefined,
  })
  const focus = async () => {
    const [id = ''] = (
      await display.xdotool('search', '--sync', '--onlyvisible', '--name', '^Contract$')
    ).split('\n')
    await display.xdotool('windowfocus', '--sync', id)
    return id
  }
  describeContract(
    'Chromium with a window on a display',
    {
      engine,
      provoke: {
        async userClose() {
          await focus()
          await display.xdotool('key', 'alt+F4')
        },
        async userMove() {
          await display.xdotool('windowsize', await focus(), '640', '480')
        },
      },
    },
    ofDisplay,
  )
}

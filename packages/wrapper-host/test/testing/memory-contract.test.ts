import { describeContract } from '@service-link/test-kit/describe-contract'
import type { EngineWindow } from '@service-link/window-engine'
import { createMemoryEngine, MemoryWindow } from '../../src/testing/memory-engine.ts'
import { emptyWorld } from '../support/opening.ts'

const engine = createMemoryEngine(emptyWorld, { isSignedIn: true })

function inMemory(window: EngineWindow): MemoryWindow {
  if (!(window instanceof MemoryWindow)) throw new TypeError('The window is another engine’s.')
  return window
}

// It loads no pages: the web app in its documents is the test wrapper's.
describeContract('the engine in memory', {
  engine,
  loadsPages: false,
  provoke: {
    userClose: ({ window }) => inMemory(window).closeByUser(),
    userMove: ({ window }) =>
      inMemory(window).changeAppearance({ placement: { left: 1, top: 2, width: 3, height: 4 }, zoom: 1 }),
    crashPage: ({ window }) => inMemory(window).crash(),
    hangPage: ({ window }) => inMemory(window).hang(),
    loseEngine: ({ window }) => inMemory(window).lose(),
    press({ window }, label) {
      const { ownPage } = inMemory(window)
      const button = ownPage?.buttons.find(known => known.label === label)
      if (button) inMemory(window).pressButton(button.action)
      else inMemory(window).pressNotice(label === 'Download' ? 'follow' : 'dismiss')
    },
  },
})

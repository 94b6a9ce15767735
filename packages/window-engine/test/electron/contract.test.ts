import { createElectronEngine } from '../../src/electron/create-electron-engine.ts'
import type { Engine, EngineWindow } from '../../src/engine.ts'
import type { ContractWindow } from '../../src/testing/contract-stage.ts'
import { hasBrowser } from '../support/browser.ts'
import { describeContract } from '../support/contract-tests.ts'
import { type StandInWindow, standInForElectron } from '../support/electron-stand-in.ts'

const standIn = standInForElectron()

const engine = createElectronEngine(standIn.parts)
const windows = new WeakMap<EngineWindow, StandInWindow>()

/** The stand-in's window behind a window of the adapter. */
function behind({ window }: ContractWindow): StandInWindow {
  const found = windows.get(window)
  if (!found) throw new Error('There is no such window.')
  return found
}

/** The adapter's engine, which notes the stand-in's window of each opening. */
const watched: Engine = {
  ...engine,
  async open(options) {
    const opening = engine.open(options)
    const count = standIn.windows.length
    const window = await opening
    const made = standIn.windows[count] ?? standIn.windows.at(-1)
    if (made) windows.set(window, made)
    return window
  },
}

if (hasBrowser)
  describeContract('the Electron adapter on a stand-in of Electron, with pages of a real browser', {
    engine: watched,
    provoke: {
      userClose: opened => behind(opened).closeByUser(),
      userMove: opened => behind(opened).moveByUser({ x: 90, y: 80, width: 700, height: 500 }),
      crashPage: opened => behind(opened).webContents.forcefullyCrashRenderer(),
      loseEngine: opened => behind(opened).destroy(),
      press: (opened, label) => behind(opened).webContents.page.press(label),
    },
  })

import { createElectronEngine } from '../../src/electron/create-electron-engine.ts'
import type { ContractWindow } from '../../src/testing/contract-stage.ts'
import { hasBrowser } from '../support/browser.ts'
import { describeContract } from '../support/contract-tests.ts'
import { standInForElectron } from '../support/electron-stand-in.ts'

const standIn = standInForElectron()

/** The stand-in's window behind a window of the adapter, found by its profile. */
function behind({ profileFolder }: ContractWindow) {
  const session: unknown = standIn.sessions.get(profileFolder)
  const found = standIn.windows.findLast(
    ({ options }) => (options.webPreferences.session as unknown) === session,
  )
  if (!found) throw new Error('There is no such window.')
  return found
}

if (hasBrowser)
  describeContract('the Electron adapter on a stand-in of Electron, with pages of a real browser', {
    engine: createElectronEngine(standIn.parts),
    provoke: {
      userClose: opened => behind(opened).closeByUser(),
      userMove: opened => behind(opened).moveByUser({ x: 90, y: 80, width: 700, height: 500 }),
      crashPage: opened => behind(opened).webContents.forcefullyCrashRenderer(),
      loseEngine: opened => behind(opened).destroy(),
      press: (opened, label) => behind(opened).webContents.page.press(label),
    },
  })

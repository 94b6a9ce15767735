// @boundaries-ignore: tests of both packages share it
export { StandInWindow, standInForElectron } from '../../../window-engine/test/support/electron-stand-in.ts'

// Entry for wrappers that are Electron applications. Withheld: the window and its protocol, so that they can change.
export { createElectronEngine, type ElectronEngineOptions } from './create-electron-engine.ts'
export type {
  ElectronBrowserWindow,
  ElectronDebugger,
  ElectronEvent,
  ElectronParts,
  ElectronRectangle,
  ElectronSession,
  ElectronWebContents,
  ElectronWindowOptions,
} from './electron-api.ts'

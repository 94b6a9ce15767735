// The port of a window and the engine that drives an installed browser. Withheld: the DevTools client and the connection to a page, so
// that they can change.
export {
  type ChromiumEngineOptions,
  createChromiumEngine,
  engineNames,
  type ForbiddenBrowser,
  probeEngine,
  type SelectEngineOptions,
  selectEngine,
} from './chromium/create-chromium-engine.ts'
export type {
  CallOptions,
  Engine,
  EngineEvents,
  EngineProbe,
  EngineWindow,
  FetchedText,
  FetchTextOptions,
  JsonValue,
  OpenWindowOptions,
  OwnPage,
  ProbeOptions,
  SessionSnapshot,
  WindowAppearance,
  WindowLook,
  WindowNotice,
  WindowPlacement,
  WindowState,
} from './engine.ts'
export { EngineError, type EngineFault, PageCallError, type PageCallFault } from './engine-error.ts'
export { EventListeners } from './event-listeners.ts'
export { windowPlatform } from './platform/current-platform.ts'
export { findOnPath } from './platform/find-on-path.ts'
export {
  alertArgument,
  type Environment,
  type WindowIdentity,
  type WindowPlatform,
} from './platform/window-platform.ts'
export { externalOpener, type OpenExternal } from './web-address.ts'

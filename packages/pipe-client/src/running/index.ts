// Entry for the wrapper itself, whose second launch, doctor and installer find a running wrapper. It withholds nothing, and
// loads no schema library.

export { connectProven, type ProofFailure, type ProofOutcome, type ProveOptions } from './connect-proven.ts'
export { grantForeground } from './grant-foreground.ts'
export { DesktopUnknownError, ownDesktop } from './own-desktop.ts'
export { isPrivateFolder, isThisUsers, isThisUsersAlone } from './own-file.ts'
export {
  isAlive,
  ownUserFolder,
  readWrapperRecord,
  recordEnding,
  recordFolder,
} from './wrapper-record.ts'

// Entry for programs of this project that find a running wrapper themselves: the wrapper's second launch, doctor and
// installer. Withheld: nothing. It loads no schema library.

export { connectProven, type ProofFailure, type ProofOutcome, type ProveOptions } from './connect-proven.ts'
export { isPrivateFolder, isThisUsersAlone } from './own-file.ts'
export {
  isAlive,
  listWrapperRecords,
  ownLoginSession,
  readWrapperRecord,
  recordEnding,
  recordFolder,
  type WrapperKey,
  type WrapperRecord,
} from './wrapper-record.ts'

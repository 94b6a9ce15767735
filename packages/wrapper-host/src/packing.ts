// Parts of the wrapper for wrapper-pack alone: they follow no version rules.

export { assetNames } from './cli/program-identity.ts'
export { helpText } from './cli/subcommands.ts'
export { accessProblem } from './files/access.ts'
export { refusedRenaming, whileInUse } from './files/whole-file.ts'
export { digestOf, pinsAsset, providersFolder } from './launch/provider-modules.ts'
export { failureReason, kindOf } from './log/failure-reason.ts'
export { inElement, settingLines } from './settings/config-file.ts'
export { withheldVariables, withholdVariables } from './settings/withheld-variables.ts'
export { deliveredSettings } from './settings/wrapper-folders.ts'
export { packedIconName } from './tray/create-systray.ts'
export { findProgram, packedTrayFolder } from './tray/find-program.ts'
export { TrayError } from './tray/tray.ts'

export { type IconPicture, makeIcon, readIcon } from './icon-file.ts'
export {
  openRegistry,
  type Registry,
  RegistryError,
  type RegistryHive,
  type RegistryValue,
} from './registry.ts'
export {
  type NativeCalls,
  type NativeFunction,
  type NativeFunctions,
  type NativeKind,
  type NativeSignature,
  nativeCalls,
  openSystemLibrary,
  readWideText,
  wideText,
  withParts,
} from './system-library.ts'

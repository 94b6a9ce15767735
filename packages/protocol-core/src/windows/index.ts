export { nativeCalls, openSystemLibrary, readWideText, wideText } from './system-library.ts'

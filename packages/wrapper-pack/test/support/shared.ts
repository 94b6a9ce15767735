// @boundaries-ignore: tests of both packages share it
export { isInstalled } from '../../../window-engine/test/support/is-installed.ts'
// @boundaries-ignore: tests of both packages share it
export { temporaryFolder } from '../../../window-engine/test/support/temporary-folder.ts'
// @boundaries-ignore: tests of both packages share it
export { neutralIcon as neutralTrayIcon } from '../../../wrapper-host/src/tray/create-systray.ts'
// @boundaries-ignore: tests of both packages share it
export { configuredExecutable } from '../../../wrapper-host/test/support/configured-executable.ts'
// @boundaries-ignore: tests of both packages share it
export { selfSigned } from '../../../wrapper-host/test/support/self-signed.ts'
// @boundaries-ignore: tests of both packages share it
export { hasBrowser } from '../../../wrapper-host/test/support/window-browser.ts'
// @boundaries-ignore: tests of both packages share it
export { startExecutable, wrapperExecutable } from '../../../wrapper-host/test/support/wrapper-executable.ts'

// @boundaries-ignore: tests of both packages share it
export { isInstalled } from '../../../window-engine/test/support/is-installed.ts'

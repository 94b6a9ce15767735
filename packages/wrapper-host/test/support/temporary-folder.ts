// @boundaries-ignore: tests of both packages share it
export { temporaryFolder } from '../../../window-engine/test/support/temporary-folder.ts'

// @boundaries-ignore: tests of both packages share it
export {
  hasBrowser,
  headless,
  openTestWindow,
  type TestWindow,
} from '../../../window-engine/test/support/browser.ts'

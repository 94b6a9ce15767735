// @boundaries-ignore: tests of both packages share it
export {
  hasDisplay,
  screenWidth,
  startDisplay,
  type TestDisplay,
} from '../../../window-engine/test/support/display.ts'

// @boundaries-ignore: tests of both packages share it
export { nextEvent } from '../../../window-engine/test/support/events.ts'

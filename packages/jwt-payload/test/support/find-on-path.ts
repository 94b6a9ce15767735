// @boundaries-ignore: tests of both packages share it
export { findOnPath } from '../../../window-engine/src/platform/find-on-path.ts'

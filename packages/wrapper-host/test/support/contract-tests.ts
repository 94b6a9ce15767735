// @boundaries-ignore: tests of both packages share it
export { describeContract } from '../../../window-engine/test/support/contract-tests.ts'

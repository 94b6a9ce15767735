// @boundaries-ignore: tests of both packages share it
export {
  type PostedRequest,
  serveSite,
  type TestPage,
  type TestPages,
  type TestSite,
} from '../../../window-engine/test/support/site.ts'

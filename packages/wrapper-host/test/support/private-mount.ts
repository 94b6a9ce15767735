// @boundaries-ignore: tests of both packages share it
export { canMount, type MountedEnd, runMounted } from '../../../window-engine/test/support/private-mount.ts'

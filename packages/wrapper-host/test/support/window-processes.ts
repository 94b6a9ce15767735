// @boundaries-ignore: tests of both packages share it
export {
  browserProcesses,
  canListProcesses,
  killRenderers,
  mainPid,
  sessionProcesses,
} from '../../../window-engine/test/support/processes.ts'

import { bridgeCommandPath } from './paths/bridge-command.ts'
import { growthPath } from './paths/growth.ts'
import { idleMemoryPath } from './paths/idle-memory.ts'
import { pipeClassicPath } from './paths/pipe-classic.ts'
import { pipeSessionPath } from './paths/pipe-session.ts'
import { receiverPath } from './paths/receiver.ts'
import { secondLaunchPath } from './paths/second-launch.ts'
import { testWrapperPath } from './paths/test-wrapper.ts'
import { verifyPayloadPath } from './paths/verify-payload.ts'
import { xmlFilePath } from './paths/xml-file.ts'
import type { MeasuredPath } from './report/row.ts'

/** Every measured path, in the order of the table (design section 15). */
export const paths: readonly MeasuredPath[] = [
  verifyPayloadPath,
  xmlFilePath,
  pipeClassicPath,
  pipeSessionPath,
  secondLaunchPath,
  receiverPath,
  bridgeCommandPath,
  idleMemoryPath,
  growthPath,
  testWrapperPath,
]

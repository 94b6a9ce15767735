import type { Role } from '../scenario.ts'
import { classicScenarios } from './classic-scenarios.ts'
import { launchScenarios } from './launch-scenarios.ts'
import { openWrapper, type WrapperSubject, type WrapperTarget } from './open-wrapper.ts'
import { sessionScenarios } from './session-scenarios.ts'

/** A desktop executable, by its command line. */
export const wrapperRole: Role<WrapperTarget, WrapperSubject> = {
  name: 'wrapper',
  scenarios: [...classicScenarios, ...launchScenarios, ...sessionScenarios],
  describe: ({ program }) => program.join(' '),
  open: openWrapper,
}

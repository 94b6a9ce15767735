import { applicationRootCheck } from './checks/application-root.ts'
import { displayCheck } from './checks/display.ts'
import { engineCheck } from './checks/engine.ts'
import { handOffCheck } from './checks/hand-off.ts'
import { lockCheck } from './checks/lock.ts'
import { logCheck } from './checks/log.ts'
import { pipesCheck } from './checks/pipes.ts'
import { providersCheck } from './checks/providers.ts'
import { serviceCheck } from './checks/service.ts'
import { settingsCheck } from './checks/settings.ts'
import { systemCheck } from './checks/system.ts'
import { trayCheck } from './checks/tray.ts'
import { updateSiteCheck } from './checks/update-site.ts'
import { userFolderCheck } from './checks/user-folder.ts'
import { wrapperCheck } from './checks/wrapper.ts'
import type { DoctorCheck } from './doctor-check.ts'

/** What the doctor looks at, in the order in which it is told: what a start needs first. */
export const allChecks: readonly DoctorCheck[] = [
  systemCheck,
  applicationRootCheck,
  userFolderCheck,
  settingsCheck,
  engineCheck,
  displayCheck,
  serviceCheck,
  updateSiteCheck,
  handOffCheck,
  lockCheck,
  wrapperCheck,
  pipesCheck,
  providersCheck,
  trayCheck,
  logCheck,
]

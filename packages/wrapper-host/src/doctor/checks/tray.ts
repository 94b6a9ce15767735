import { findProgram } from '../../tray/find-program.ts'
import { trayPlatform } from '../../tray/platform.ts'
import { TrayError } from '../../tray/tray.ts'
import { type DoctorCheck, ok, skipped, warning } from '../doctor-check.ts'
import { isHeadless } from '../is-headless.ts'

/** The icon in the notification area. The wrapper runs without it, too. */
export const trayCheck: DoctorCheck = {
  name: 'tray',
  async run({ settings, environment }) {
    if (isHeadless((await settings()).values))
      return skipped('The engine shows no window, so there is no icon.')
    const platform = trayPlatform()
    const problem = await platform.problem(environment)
    if (problem) return absent(problem)
    try {
      const { version } = await findProgram(platform)
      return ok(`systray2 ${version} shows the icon, where the desktop has a notification area.`)
    } catch (error) {
      if (error instanceof TrayError) return absent(error)
      throw error
    }
  },
}

const absent = (error: TrayError) =>
  warning(
    'There will be no icon in the notification area.',
    `${error.message} The wrapper runs without it, too.`,
  )

import { arch, release, userInfo } from 'node:os'
import { isElevated } from '../../instance/is-elevated.ts'
import { type DoctorCheck, ok, warning } from '../doctor-check.ts'

/** The wrapper's version, the machine, the user and the login session. */
export const systemCheck: DoctorCheck = {
  name: 'system',
  async run({ version, environment }) {
    const system = `${process.platform} ${release()} ${arch()}`
    const session = environment.DISPLAY || environment.WAYLAND_DISPLAY || environment.SESSIONNAME
    const place = session ? `, session ${session}` : ''
    const sentence = `Wrapper ${version} on ${system}, Node ${process.versions.node}, user ${userInfo().username}${place}.`
    if (!isElevated()) return ok(sentence)
    return warning(
      `${sentence} It has administrator rights.`,
      'Start the wrapper without them: else this user’s other programs cannot reach it.',
    )
  },
}

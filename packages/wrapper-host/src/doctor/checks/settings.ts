import { type DoctorCheck, ok, problem, skipped, warning } from '../doctor-check.ts'

/** What in the configuration files is wrong or has no effect. */
export const settingsCheck: DoctorCheck = {
  name: 'settings',
  async run(context) {
    const { application, user, faults, notices } = await context.settings()
    if (application.state === 'damaged')
      return skipped('What they are is not known while the configuration file is damaged.')
    const listed = (found: typeof faults) =>
      found.map(({ setting, problem: clause }) => `The setting ${setting} ${clause}.`).join(' ')
    if (faults.length > 0)
      return problem(
        listed(faults),
        'Correct it in the application root: the wrapper does not start with it.',
      )
    if (user.state === 'damaged')
      return warning(
        user.error.message,
        'The next start sets the file aside, and defaults apply. Correct it before that to keep what is in it.',
      )
    const remedy = 'Correct or remove it; the command "settings" shows all settings and where they are from.'
    if (notices.length > 0) return warning(listed(notices), remedy)
    return ok('All settings are as they should be; the command "settings" shows them.')
  },
}

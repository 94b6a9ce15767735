import { stat } from 'node:fs/promises'
import { type DoctorCheck, ok, problem, warning } from '../doctor-check.ts'

/** The folder for everybody, and the configuration file in it. */
export const applicationRootCheck: DoctorCheck = {
  name: 'application-root',
  async run({ folders: { applicationRoot }, settings }) {
    const found = await stat(applicationRoot).catch(() => undefined)
    if (!found?.isDirectory())
      return problem(
        `${applicationRoot} is no folder.`,
        'Install the wrapper anew, or correct SERVICE_WRAPPER_ROOT.',
      )
    const { application, exposure } = await settings()
    if (application.state === 'damaged')
      return problem(application.error.message, 'Correct the file: the wrapper does not start with it.')
    if (application.state === 'unreadable')
      return problem(application.error.message, 'Make it one: the wrapper does not start without it.')
    if (exposure)
      return warning(
        `${exposure.path} ${exposure.problem}.`,
        'Let administrators alone change it: it decides which address the wrapper opens and which providers it runs.',
      )
    if (application.state === 'absent')
      return warning(
        `${applicationRoot} has no configuration file.`,
        `Put ${application.file} there, with AppUrl in it; or name another folder with SERVICE_WRAPPER_ROOT.`,
      )
    return ok(`${application.file} is there and well-formed.`)
  },
}

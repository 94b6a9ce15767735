import type { AskedPipe } from '../ask-pipes.ts'
import { type DoctorCheck, ok, problem, warning } from '../doctor-check.ts'

/** The pipes by which programs command this user's wrappers. */
export const pipesCheck: DoctorCheck = {
  name: 'pipes',
  async run({ pipes }) {
    const found = await pipes()
    if (!found)
      return warning(
        'The pipes of this machine cannot be listed, so that programs do not find a wrapper by themselves.',
        'Let this user list the folder of the pipes, or give programs the process id of the wrapper.',
      )
    const unproven = found.filter(({ state }) => state === 'unproven')
    if (unproven.length > 0)
      return problem(
        `Incident: what answers on these pipes did not prove to be a wrapper of this user: ${pidsOf(unproven)}.`,
        'Have the administrator find out which processes have the pipes, and of which user. Update a wrapper that is older than this one.',
      )
    const silent = found.filter(({ state }) => state === 'silent')
    if (silent.length > 0)
      return problem(
        `These processes have a wrapper’s pipe and do not answer at it as a wrapper does: ${pidsOf(silent)}.`,
        'Look again after a minute. If it stays so, end them and start the wrapper again; have the administrator look at one that this user cannot end.',
      )
    const ours = found.filter(({ state }) => state === 'answers')
    const abandoned = found.filter(({ state }) => state === 'abandoned').length
    const first = ours.length === 0 ? 'There is no pipe.' : `Pipes that answer: ${pidsOf(ours)}.`
    const rest =
      abandoned === 0
        ? ''
        : ` Left behind by wrappers that were ended by force: ${abandoned}; that does no harm.`
    return ok(`${first}${rest}`)
  },
}

function pidsOf(pipes: readonly AskedPipe[]): string {
  return pipes.map(({ pid, version }) => `process ${pid}${version ? ` (${version})` : ''}`).join(', ')
}

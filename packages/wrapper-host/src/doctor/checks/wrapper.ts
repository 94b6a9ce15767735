import { setTimeout as wait } from 'node:timers/promises'
import { findHandOff } from '../../instance/hand-off-address.ts'
import { locateInstance } from '../../instance/locate-instance.ts'
import { isLockHeld } from '../../instance/peek-lock.ts'
import { type DoctorCheck, ok, problem, skipped, warning } from '../doctor-check.ts'
import { isListening } from '../is-listening.ts'

/** How long a wrapper may take between having the instance and taking launches, in milliseconds; it starts or exits then. */
const betweenMs = 4000

/** The wrapper of this login session: whether it is there, and whether it does its work. */
export const wrapperCheck: DoctorCheck = {
  name: 'wrapper',
  async run({ brand, folders: { userFolder }, environment, pipes }, signal) {
    const place = locateInstance({ application: brand.application, userFolder, environment })
    const deadline = performance.now() + betweenMs
    let isTaking = false
    while (isLockHeld(place.lockFile)) {
      const address = findHandOff(place)?.address
      isTaking = address !== undefined && (await isListening(address, signal))
      if (isTaking || performance.now() > deadline || signal.aborted) break
      await wait(200)
    }
    if (!isLockHeld(place.lockFile)) return skipped('No wrapper runs in this login session.')
    const endIt = 'End its process and start the wrapper again.'
    if (!isTaking) return problem('A process holds the instance, and takes no launches.', endIt)
    const found = await pipes()
    if (!found)
      return warning(
        'A wrapper runs in this login session and takes launches. Whether it answers at its pipe is not known: the pipes of this machine cannot be listed.',
        'See the check “pipes”.',
      )
    const answering = found.filter(({ state }) => state === 'answers')
    // Busy, slow or older: the one of this session may be among them.
    const isUnclear = found.some(({ state }) => state === 'silent' || state === 'unproven')
    if (answering.length === 0 && isUnclear)
      return warning(
        'A wrapper runs in this login session and takes launches. Whether it is one of those whose pipes do not answer as they should is not known.',
        'See the check “pipes”.',
      )
    if (answering.length === 0)
      return problem('A wrapper runs in this login session, and does not answer at its pipe.', endIt)
    const named = answering.map(({ pid, version }) => `process ${pid}, version ${version}`).join('; ')
    return ok(
      answering.length === 1
        ? `A wrapper runs and answers: ${named}.`
        : `A wrapper runs here, and wrappers of other login sessions, too; all answer: ${named}.`,
    )
  },
}

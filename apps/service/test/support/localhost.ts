import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Whether this machine has `::1`, the second address of `localhost`. */
export const hasIpv6 = Object.values(networkInterfaces()).some(found =>
  found?.some(({ family }) => family === 'IPv6'),
)

// By default a client gives the first address of a name up after half a second, even if a busy process is about to answer.
setDefaultAutoSelectFamilyAttemptTimeout(60_000)

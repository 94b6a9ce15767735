import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'

// If `localhost` has an IPv4 and an IPv6 address, a busy process may give the first up after half a second, although it
// answered. The second has no service.
setDefaultAutoSelectFamilyAttemptTimeout(60_000)

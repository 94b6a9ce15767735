import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'

// `localhost` may have an IPv4 and an IPv6 address. By default a client gives the first one up after half a second, even if a
// busy process is about to answer. The second has no service.
setDefaultAutoSelectFamilyAttemptTimeout(60_000)

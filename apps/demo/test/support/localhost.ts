import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'

// Where `localhost` has an IPv4 and an IPv6 address, a process that is held up for half a second gives the first one up,
// although it answered, and the other has no service.
setDefaultAutoSelectFamilyAttemptTimeout(60_000)

// Tries, as the user that it runs as, what reaches a wrapper of another user: its process id is the first argument, its per-user
// folder the second. Tells the codes of the failures on standard output.
import { connectWrapper, findWrappers, launchWrapper, locateWrapper } from '@service-link/pipe-client'
import { isServiceLinkError } from '@service-link/protocol-core'

const [, , pid = '', userFolder = ''] = process.argv
const environment = { ...process.env, SERVICE_WRAPPER_DATA: userFolder }
const codeOf = async (work: Promise<unknown>) => {
  try {
    await work
    return 'done'
  } catch (error) {
    return isServiceLinkError(error) ? error.code : String(error)
  }
}
const answer = {
  found: await findWrappers(),
  connect: await codeOf(connectWrapper({ pid: Number(pid), timeoutMs: 10_000 })),
  connectClassic: await codeOf(connectWrapper({ pid: Number(pid), mode: 'classic', timeoutMs: 10_000 })),
  connectAny: await codeOf(connectWrapper({ timeoutMs: 10_000 })),
  locate: await codeOf(locateWrapper()),
  locateTheirs: await codeOf(locateWrapper({ environment })),
  launchTheirs: await codeOf(launchWrapper([], { environment })),
}
process.stdout.write(JSON.stringify(answer))

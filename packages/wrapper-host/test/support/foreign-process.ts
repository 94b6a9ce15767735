// Tries to reach another user's wrapper by its process id, the first argument, and its per-user folder, the second.
// Prints the codes of the failures.
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

// Connects to this process's wrapper. Prints its process id, or the code of the failure.
import { connectWrapper } from '@service-link/pipe-client'
import { isServiceLinkError } from '@service-link/protocol-core'

const outcome = await connectWrapper().then(
  async client => {
    await using connected = client
    return { pid: connected.wrapper.pid }
  },
  error => {
    if (!isServiceLinkError(error)) throw error
    return { code: error.code }
  },
)
process.stdout.write(JSON.stringify(outcome))

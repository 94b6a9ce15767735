// Launches the installed wrapper with its own arguments, tells on standard output what came of it, and ends.

import { launchWrapper } from '@service-link/pipe-client'
import { isServiceLinkError } from '@service-link/protocol-core'

const outcome = await launchWrapper(process.argv.slice(2)).catch(error => {
  if (!isServiceLinkError(error)) throw error
  return { code: error.code, message: error.message }
})
process.stdout.write(JSON.stringify(outcome))

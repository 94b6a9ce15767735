// Launches the installed wrapper with this process's arguments, and prints the outcome.

import { launchWrapper } from '@service-link/pipe-client'
import { isServiceLinkError } from '@service-link/protocol-core'

const outcome = await launchWrapper(process.argv.slice(2)).catch(error => {
  if (!isServiceLinkError(error)) throw error
  return { code: error.code, message: error.message }
})
process.stdout.write(JSON.stringify(outcome))

// A wrapper in memory that keeps its folders from one start to the next.
import { join } from 'node:path'
import { startTestWrapper } from '@service-link/wrapper-host/testing'

const userFolder = process.env.SERVICE_WRAPPER_DATA
const wrapper = await startTestWrapper({
  folders: { applicationRoot: join(userFolder, '../root'), userFolder },
  argv: process.argv.slice(2),
})
await wrapper.closed

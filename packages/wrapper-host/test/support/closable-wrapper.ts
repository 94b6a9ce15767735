import { randomUUID } from 'node:crypto'
import { defaultBrand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { memoryWrapper } from './memory-wrapper.ts'

// A wrapper in its own process, with the per-user folder of the environment. It ends when a client closes it.
await using folder = await temporaryFolder()
const userFolder = process.env.SERVICE_WRAPPER_DATA ?? ''
const { wrapper } = await memoryWrapper(defaultBrand, folder.path, userFolder)
const started = await wrapper.start({ id: randomUUID(), argv: [], workingDirectory: folder.path })
process.stdout.write('started\n')
if (started.role === 'wrapper') await started.wrapper.closed

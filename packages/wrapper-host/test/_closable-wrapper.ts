import { startTestWrapper } from '../src/testing/index.ts'

// A wrapper in a process of its own. Tells the prefix of its pipe, and ends when it was told to close.
const wrapper = await startTestWrapper()
process.stdout.write(`${wrapper.brand.pipePrefix}\n`)
await wrapper.closed

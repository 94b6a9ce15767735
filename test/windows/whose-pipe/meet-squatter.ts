import { createServer } from 'node:net'
import { connectWrapper } from '../../../packages/pipe-client/src/index.ts'
import { encodeFrame, FrameDecoder, pipeAddress } from '../../../packages/protocol-core/src/index.ts'
import { ensurePipeKey, locatePipeKey } from '../../../packages/wrapper-host/src/pipe/pipe-key.ts'
import { startTestWrapper } from '../../../packages/wrapper-host/src/testing/index.ts'

// Runs in Node for Windows, with a per-user folder of its own: a wrapper, and a pipe of the same form whose server has no key.
const person = { customId: '4711', firstname: 'Kåre', lastname: 'Nordmann' }
const pid = process.pid
const wrapper = await startTestWrapper()
const squatted = { ...wrapper.brand, pipePrefix: `${wrapper.brand.pipePrefix}-squatted` }

/** What was asked at the squatted pipe. */
const heard: string[] = []
const squatter = createServer(socket => {
  const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    for (const body of decoder.push(chunk)) {
      const { Id, Method } = JSON.parse(Buffer.from(body).toString())
      heard.push(Method)
      const hello = { protocol: 1, version: '3.0.0.0', pid, capabilities: [], proof: 'A'.repeat(43) }
      socket.write(encodeFrame(JSON.stringify({ Id, Result: Method === 'hello' ? hello : {} })))
    }
  })
})
await new Promise<void>(resolve => squatter.listen(pipeAddress(squatted, pid, process.platform, ''), resolve))

/** Sends a person, and tells what came of it. */
async function sendPerson(brand: typeof squatted): Promise<string> {
  try {
    await using client = await connectWrapper({ brand, pid })
    return (await client.selectPerson(person)).status
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

await ensurePipeKey(locatePipeKey(wrapper.brand))
const outcomes = { wrapper: await sendPerson(wrapper.brand), squatter: await sendPerson(squatted) }
process.stdout.write(JSON.stringify({ ...outcomes, heard }))
squatter.close()
await wrapper.close()

import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connectWrapper } from '../../../packages/pipe-client/src/index.ts'
import { encodeFrame, FrameDecoder } from '../../../packages/protocol-core/src/index.ts'
import { startTestWrapper } from '../../../packages/wrapper-host/src/testing/index.ts'

// Runs in Node for Windows with a separate per-user folder: a wrapper, and a squatter at a killed wrapper's address.
const person = { customId: '4711', firstname: 'Kåre', lastname: 'Nordmann' }
const wrapper = await startTestWrapper()
const squattedFolder = process.env.SERVICE_WRAPPER_DATA ?? ''
const address = `\\\\.\\pipe\\squatted.${process.pid}`

/** Members of the requests at the squatted pipe. */
const heard: string[] = []
const squatter = createServer(socket => {
  const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    for (const body of decoder.push(chunk)) {
      heard.push(...Object.keys(JSON.parse(Buffer.from(body).toString())))
      socket.write(encodeFrame(JSON.stringify({ answer: 'c'.repeat(64) })))
    }
  })
})
await new Promise<void>(resolve => squatter.listen(address, resolve))
const key = { ask: 'a'.repeat(64), answer: 'b'.repeat(64) }
const record = { pid: process.pid, desktop: '', version: '3.0.0.0', address, key }
await mkdir(join(squattedFolder, 'run'), { recursive: true })
await writeFile(join(squattedFolder, 'run', 'killed.json'), JSON.stringify(record))

/** Sends a person and returns the result. */
async function sendPerson(userFolder: string): Promise<string> {
  try {
    await using client = await connectWrapper({ userFolder, pid: process.pid })
    return (await client.selectPerson(person)).status
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

const outcomes = {
  wrapper: await sendPerson(wrapper.folders.userFolder),
  squatter: await sendPerson(squattedFolder),
}
process.stdout.write(JSON.stringify({ ...outcomes, heard }))
squatter.close()
await wrapper.close()

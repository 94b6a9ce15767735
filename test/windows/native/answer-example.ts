import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { FrameDecoder } from '../../../packages/protocol-core/src/frame/frame.ts'

/** One run of the example in C, against a server with a record. */
export interface ExampleRun {
  /** Program in the folder. */
  readonly program: string
  /** Second secret that the server answers with. Default: the one of the record. */
  readonly secret?: string
  /** Reply in hexadecimal digits. Default: none, and the connection stays open. */
  readonly reply?: string
  /** Desktop in the record. Default: none. */
  readonly desktop?: string
}

/** End of an {@link ExampleRun}. */
export interface ExampleEnd {
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
  /** Bytes that the server got after the proof. */
  readonly byteCount: number
}

// Runs in Node for Windows: serves the runs of a file in a folder one after the other, and prints their ends.
const [, , folder = '', runsText = '[]'] = process.argv
const runs: readonly ExampleRun[] = JSON.parse(runsText)
const address = `\\\\.\\pipe\\example.${process.pid}`
const key = { ask: 'a'.repeat(64), answer: 'b'.repeat(64) }

function frameOf(text: string): Buffer {
  const frame = Buffer.from(`    ${text}`)
  frame.writeInt32LE(frame.length - 4)
  return frame
}

async function endOf({ program, secret = key.answer, reply, desktop = '' }: ExampleRun): Promise<ExampleEnd> {
  let byteCount = 0
  const server = createServer(socket => {
    const decoder = new FrameDecoder({ maxFrameBytes: 1024 })
    let isProven = false
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      if (isProven) byteCount += chunk.length
      if (decoder.push(chunk).length === 0) return
      if (!isProven) socket.write(frameOf(JSON.stringify({ answer: secret })))
      else if (reply !== undefined) socket.end(Buffer.from(reply, 'hex'))
      isProven = true
    })
  })
  await new Promise<void>(resolve => server.listen(address, resolve))
  const record = { pid: process.pid, desktop, version: '3.0.0.0', address, key }
  mkdirSync(join(folder, 'run'), { recursive: true })
  writeFileSync(join(folder, 'run', 'record.json'), JSON.stringify(record))
  const env = { ...process.env, TEMP: 'C:\\Temp', SERVICE_WRAPPER_DATA: folder }
  const end = await new Promise<Omit<ExampleEnd, 'byteCount'>>(resolve => {
    const child = execFile(
      join(folder, program),
      ['version'],
      { env, encoding: 'utf8', timeout: 60_000 },
      (_error, output, errors) => resolve({ exitCode: child.exitCode, output, errors }),
    )
  })
  server.close()
  return { ...end, byteCount }
}

const ends: ExampleEnd[] = []
for (const run of runs) ends.push(await endOf(run))
process.stdout.write(JSON.stringify(ends), () => process.exit())

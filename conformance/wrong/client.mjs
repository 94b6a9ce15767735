// A pipe client with faults, which `pipe-client.json` names: client.mjs <command> [key=value …]
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

const [, , Method, ...words] = process.argv
const Args = Object.fromEntries(words.map(word => word.split('=', 2)))

const frame = value => {
  const body = Buffer.from(JSON.stringify(value))
  const header = Buffer.alloc(4)
  header.writeInt32LE(body.length)
  return Buffer.concat([header, body])
}

/** Takes any record, of any desktop, whoever may have written it. */
function findRecord() {
  const folder = join(process.env.SERVICE_WRAPPER_DATA, 'run')
  const [name] = readdirSync(folder).sort()
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}

function fail(sentence) {
  console.error(sentence)
  process.exit(3)
}

let record
try {
  record = findRecord()
} catch {
  fail('No wrapper runs.')
}
const socket = connect(record.address)
socket.write(frame({ ask: record.key.ask }))
// Whatever answers is taken for the proof, and each event for a whole frame.
socket.once('data', () => {
  socket.write(frame({ Method, Args }))
  socket.once('data', chunk => {
    const text = chunk.subarray(4).toString()
    console.log(Method === 'version' ? JSON.stringify(text) : text)
    process.exit(0)
  })
})
socket.on('end', () => process.exit(0))
socket.on('error', () => fail('The wrapper was not reached.'))
socket.setTimeout(5000, () => fail('The wrapper did not answer.'))

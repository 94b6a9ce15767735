import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { requestClassic } from '../../../packages/pipe-client/src/classic/request-classic.ts'

// Runs in Node for Windows: a server that reads nothing, and is killed when a command has come.
const address = `\\\\.\\pipe\\lost-wrapper.${process.pid}`
const script = `
  require('node:net').createServer({ pauseOnConnect: true }, () => process.send('connected'))
    .listen(${JSON.stringify(address)}, () => process.send('listening'))
`
const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
const { pid = 0 } = server
await once(server, 'message')
const bounds = { timeoutMs: 20_000, spentMs: 0, signal: undefined }
const outcome = requestClassic({ pid, address }, 'setcustomid', { userid: 5, customid: '4711' }, bounds).then(
  () => 'done',
  ({ code, wasSent }) => ({ code, wasSent }),
)
await once(server, 'message')
server.kill()
process.stdout.write(JSON.stringify(await outcome))

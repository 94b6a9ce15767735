import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ClassicChannel } from '../../../packages/pipe-client/src/classic/classic-channel.ts'
import { Deadline } from '../../../packages/protocol-core/src/time/deadline.ts'

// Runs in Node for Windows: a server that reads nothing and is killed when a command arrives.
const address = `\\\\.\\pipe\\lost-wrapper.${process.pid}`
const script = `
  require('node:net').createServer({ pauseOnConnect: true }, () => process.send('connected'))
    .listen(${JSON.stringify(address)}, () => process.send('listening'))
`
const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
const { pid = 0 } = server
await once(server, 'message')
const channel = new ClassicChannel({ pid, address })
const args = { userid: 5, customid: '4711' }
const outcome = channel.request('setcustomid', args, new Deadline(20_000)).then(
  () => 'done',
  ({ code, wasSent }) => ({ code, wasSent }),
)
await once(server, 'message')
server.kill()
process.stdout.write(JSON.stringify(await outcome))

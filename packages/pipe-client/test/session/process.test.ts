import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type SessionAnswer, type SessionServer, startSessionServer } from '../support/session-server.ts'

const answering: SessionAnswer = (connection, request) => {
  if (request.Method === 'openworkout') connection.tell('workoutopened', { id: 17 })
  if (request.Method !== 'hide') connection.reply(request, '3.0.0.1')
  // A process that something keeps alive by accident ends later.
  else setTimeout(() => connection.reply(request), 200)
}

/** Runs a program with a client until it ends by itself. */
async function run(server: SessionServer, program: string) {
  const source = `
    import { defineBrand } from '@service-link/protocol-core'
    import { connectWrapper } from '@service-link/pipe-client'
    const brand = defineBrand(${JSON.stringify({ vendor: server.brand.vendor, pipePrefix: server.brand.pipePrefix })})
    const wrapper = await connectWrapper({ brand, pid: ${server.pid} })
    ${program}`
  return runSource(source)
}

async function runSource(source: string) {
  const args = ['-C', '@service-link/source', '--input-type=module', '-e', source]
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  // Without a terminal and standard input, like the main process of an Electron application.
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  const exitCode = await new Promise(resolve => child.on('close', resolve))
  return { exitCode, output }
}

test('a process ends although its client stayed connected', async () => {
  await using server = await startSessionServer(answering)
  const program = `
    console.log(await wrapper.version())
    const events = wrapper.events()[Symbol.asyncIterator]()
    await wrapper.openWorkout(17)
    console.log((await events.next()).value.type)
    await events.return()
    await wrapper.hide({ signal: AbortSignal.timeout(10) }).catch(error => console.log(error.name))`
  expect(await run(server, '')).toEqual({ exitCode: 0, output: '' })
  expect(await run(server, program)).toEqual({
    exitCode: 0,
    output: '3.0.0.1\nworkoutopened\nTimeoutError\n',
  })
})

test.each([
  ['call', 'wrapper.hide().then(() => console.log("done"))'],
  [
    'iteration of events',
    `wrapper.hide().then(() => wrapper.openWorkout(17).then(() => {}))
     const print = async () => {
       for await (const { type } of wrapper.events()) {
         console.log(type === 'workoutopened' ? 'done' : type)
         break
       }
     }
     print()`,
  ],
])('a pending %s keeps a process alive', async (_, program) => {
  await using server = await startSessionServer(answering)
  expect(await run(server, program)).toEqual({ exitCode: 0, output: 'done\n' })
})

test('importing the package opens, reads and writes nothing', async () => {
  const source = `
    import '@service-link/pipe-client'
    const events = process.eventNames().filter(name => name.startsWith('exit') || name.startsWith('SIG'))
    const open = process.getActiveResourcesInfo()
    console.log(JSON.stringify([open, events]))`
  expect(await runSource(source)).toEqual({ exitCode: 0, output: '[[],[]]\n' })
})

import { connectWrapper } from '../../../packages/pipe-client/src/index.ts'
import { defaultBrand } from '../../../packages/protocol-core/src/wrapper/brand.ts'
import { describeCall } from './describe-call.ts'

// Runs in Node for Windows: calls the server with a process id, with a limit on concurrent calls, and prints the times of
// the calls.
const [, , prefix = '', pid = '', callCount = '', atATime = ''] = process.argv

const client = await connectWrapper({
  // This server publishes no record.
  mode: 'classic',
  brand: { ...defaultBrand, application: prefix, pipePrefix: prefix },
  pid: Number(pid),
})
const wrong: unknown[] = []

async function callNumber(number: number): Promise<void> {
  const { customId } = describeCall(number)
  if (customId === undefined) return client.openWorkout(number)
  const [user, ...others] = await client.getListOfUsers({ customId })
  if (user?.id !== customId.length || user.customId !== customId || others.length > 0)
    wrong.push([number, user])
}

const numbers = Array.from({ length: Number(callCount) }, (_, index) => index).values()
await Promise.all(
  Array.from({ length: Number(atATime) }, async () => {
    for (const number of numbers) await callNumber(number).catch(error => wrong.push([number, String(error)]))
  }),
)
await client.disconnect()
process.stdout.write(JSON.stringify({ mode: client.mode, wrong }))

// Claims the instance without a window, or hands its launch over. As the wrapper it appends the last argument of each launch to a
// file, and stays until it is killed. The argument before the last is `waits` if the launch ends when that was done.
import { appendFileSync } from 'node:fs'
import { claimInstance } from '../../src/start/claim-instance.ts'
import { locateInstance } from '../../src/start/instance-place.ts'

const [userFolder = '', takenFile = '', manner = '', id = ''] = process.argv.slice(2)
const launch = { id, argv: [manner, id], workingDirectory: process.cwd() }
const place = locateInstance({ application: 'Test.Wrapper', userFolder })
// Dozens of these share the processors, so the test sets the time limits.
const claim = await claimInstance(place, { launch }, { timeoutMs: 600_000 })
if (claim.role === 'wrapper') {
  const carryOut = (id: string) => appendFileSync(takenFile, `${process.pid} ${id}\n`)
  carryOut(id)
  await claim.listen(async ({ argv }, told) => {
    const completed = Promise.resolve(told).then(() => carryOut(argv.at(-1) ?? ''))
    completed.catch(() => undefined)
    const waits = argv.at(-2) === 'waits'
    return { waits, completed: waits ? completed.then(() => ({})) : Promise.resolve({}) }
  })
  process.stdout.write(`wrapper ${process.pid}\n`)
} else {
  const { outcome } = claim
  process.stdout.write(outcome.status === 'accepted' ? `accepted ${outcome.pid}\n` : `${outcome.status}\n`)
}

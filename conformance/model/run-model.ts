import { explore, findFault } from './explore.ts'
import { type Fault, faults } from './faults.ts'
import { answeredInTheEnd, invariants } from './invariants.ts'
import { beginningOf, endsWorld, largeWorld, worlds } from './worlds.ts'

/**
 * `npm run model`: explores every world, and exits 1 with the shortest way to a state that breaks an invariant. With `-- --faults` it
 * puts each fault into the small worlds instead, prints the shortest way that finds it, and exits 1 if one is not found.
 */
const longest = 60
const printTrace = (trace: readonly string[]) =>
  console.log(trace.map((step, place) => `  ${String(place + 1).padStart(2)} ${step}`).join('\n'))

process.exitCode = (process.argv.includes('--faults') ? seedFaults() : exploreAll()) ? 0 : 1

function exploreAll(): boolean {
  let total = 0
  const begun = performance.now()
  for (const world of [...worlds, endsWorld, largeWorld]) {
    const since = performance.now()
    const { states, depth, isComplete, violation } = explore(beginningOf(world), { maxDepth: longest })
    total += states
    const extent = isComplete ? 'all' : `to depth ${longest}`
    console.log(
      `${world.name}\n  ${states.toLocaleString('en')} states, ${extent}, depth ${depth}, ${secondsSince(since)} s`,
    )
    if (!violation) continue
    console.log(`\nBroken: ${violation.invariant}`)
    printTrace(violation.trace)
    return false
  }
  console.log(`\n${total.toLocaleString('en')} states in ${secondsSince(begun)} s. In each of them:`)
  for (const invariant of [...Object.keys(invariants), answeredInTheEnd]) console.log(`  ${invariant}`)
  return true
}

function seedFaults(): boolean {
  let areFound = true
  for (const [fault, { sentence, breaks }] of Object.entries(faults)) {
    const found = findFault(fault as Fault, worlds)
    areFound &&= found !== undefined
    console.log(`${fault}: ${sentence}`)
    console.log(`  ${found ? 'breaks' : 'does not break'}: ${breaks}`)
    if (found) printTrace(found.trace)
  }
  return areFound
}

function secondsSince(time: number): string {
  return ((performance.now() - time) / 1000).toFixed(1)
}

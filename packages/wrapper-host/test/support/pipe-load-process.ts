// A real wrapper under load. Its web app is in memory, and keeps nothing.
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { writeUserConfig } from '../../src/settings/config-file.ts'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { createMemoryEngine } from '../../src/testing/memory-engine.ts'
import { MemoryPage } from '../../src/testing/memory-page.ts'
import { type LoadFigures, type LoadQuestion, loadBrand } from './pipe-load.ts'

const [folder = ''] = process.argv.slice(2)
const folders = { applicationRoot: join(folder, 'root'), userFolder: join(folder, 'user') }
await mkdir(folders.applicationRoot, { mode: 0o700 })
const settings = { AppUrl: 'https://webapp.invalid/', CheckForUpdates: 'False', LogLevel: 'debug' }
await writeFile(join(folders.applicationRoot, loadBrand.configFile), writeUserConfig(loadBrand, settings))

/** About 3 KB. */
const users = Array.from({ length: 30 }, (_, index) => ({
  id: index + 1,
  firstname: 'Ada',
  lastname: `Lovelace ${index + 1}`,
  dateOfBirth: '1980-04-03',
}))
/** About 2 MB. */
const manyUsers = Array.from({ length: 700 }, () => users).flat()

/** Time of the web app for workouts: long enough to give them up. */
const workoutsMs = 50

const page = new MemoryPage({
  handlers: {
    selectPerson: () => ({ status: 'selected', userId: 1, customId: '' }),
    queryExercises: () => undefined,
    queryWorkouts: () => undefined,
    openWorkout: () => undefined,
    setCustomId: () => undefined,
    getWorkoutsForClient: () => setTimeout(workoutsMs, []),
    // Shows a caller that the reply is for its call.
    getListOfUsers: ({ customId = '' }) => [
      { id: 0, customId: customId.startsWith('own-') ? customId : '' },
      ...(customId === 'many' ? manyUsers : users),
    ],
  },
  onError: error => console.error(error),
})
const engine = createMemoryEngine(
  { isOnline: true, load: (port, session) => page.load(port, session), answerPost: async () => 200 },
  { isSignedIn: true },
)
const start = await createWrapper({
  brand: loadBrand,
  folders,
  engine,
  tray: false,
  // Frames of a fuzzer hold fields that cannot be read.
  onNotice: sentence => sentence.startsWith('A program sent a field') || console.error(sentence),
}).start({ id: randomUUID(), argv: [], workingDirectory: process.cwd() })
if (start.role !== 'wrapper') throw new Error('A wrapper runs in folders that are new.')
const { wrapper } = start
await engine.window?.begun

process.on('message', async (question: LoadQuestion) => {
  if (question !== 'figures') return
  // Only memory after several collections shows what is kept.
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.()
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  const figures: LoadFigures = {
    keptBytes: heapUsed + external,
    handles: process.getActiveResourcesInfo().filter(name => !/Timeout|Immediate/.test(name)).length,
  }
  process.send?.(figures)
})
process.once('disconnect', () => void wrapper.close())
process.send?.(wrapper.pipeAddress)

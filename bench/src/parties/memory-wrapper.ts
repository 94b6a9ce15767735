// A process that is the wrapper, put together from the built package, with a page in memory instead of a browser.
import { defineBrand } from '@service-link/protocol-core/brand'
import { createWrapper } from '@service-link/wrapper-host'
import { memoryEngine } from './memory-engine.ts'
import { usersOf } from './users.ts'

const engine = memoryEngine((handler, args) => {
  if (handler === 'getListOfUsers') return usersOf(args)
  return handler === 'selectPerson' ? { status: 'selected', userid: 1, customid: 'p' } : null
})
const brand = defineBrand({ appUrl: 'http://localhost/' })
const launch = { id: crypto.randomUUID(), argv: [], workingDirectory: process.cwd() }
const start = await createWrapper({ brand, engine, onNotice: sentence => console.error(sentence) }).start(
  launch,
)
if (start.role === 'handed-off') throw new Error('Another wrapper runs in the folders of this measurement.')
process.send?.(start.wrapper.pipeAddress)
process.once('disconnect', () => void start.wrapper.close())

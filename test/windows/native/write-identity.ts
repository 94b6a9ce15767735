// Writes an identity into a store of properties in memory, as into that of a window, and gives its texts back.
import { openSystemLibrary } from '../../../packages/protocol-core/src/windows/index.ts'
import { PropertyStore } from '../../../packages/window-engine/src/platform/windows/property-store.ts'
import { writeIdentity } from '../../../packages/window-engine/src/platform/windows/window-identity.ts'

const propsys = openSystemLibrary('propsys', {
  PSCreateMemoryPropertyStore: { return: 'int32', arguments: ['buffer', 'buffer'] },
})
const set = '9f4c2855-9f79-4b39-a8d0-e1d42de1d5f3'
using store = PropertyStore.open((id, made) => propsys?.PSCreateMemoryPropertyStore(id, made) ?? -1)
const isWritten = store && writeIdentity(store, JSON.parse(process.argv[2] ?? ''))
const texts = [2, 3, 4, 5, 9].map(id => store?.get({ set, id }) ?? null)
process.stdout.write(JSON.stringify({ isWritten, texts }))

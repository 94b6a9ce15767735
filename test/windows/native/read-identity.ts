import { openSystemLibrary, wideText } from '../../../packages/protocol-core/src/windows/index.ts'
import { PropertyStore } from '../../../packages/window-engine/src/platform/windows/property-store.ts'

// Runs in Node for Windows: the texts that the taskbar knows of the window with a title, and whether it has both icons.
const user32 = openSystemLibrary('user32', {
  FindWindowW: { return: 'uint64', arguments: ['pointer', 'buffer'] },
  SendMessageW: { return: 'int64', arguments: ['uint64', 'uint32', 'uint64', 'int64'] },
})
const shell32 = openSystemLibrary('shell32', {
  SHGetPropertyStoreForWindow: { return: 'int32', arguments: ['uint64', 'buffer', 'buffer'] },
})
const set = '9f4c2855-9f79-4b39-a8d0-e1d42de1d5f3'
const getIcon = 0x7f
const window = user32?.FindWindowW(null, wideText(process.argv[2] ?? '')) ?? 0n
using store = PropertyStore.open((id, found) => shell32?.SHGetPropertyStoreForWindow(window, id, found) ?? -1)
const texts = [2, 3, 4, 5].map(id => store?.get({ set, id }) ?? null)
const icons = [0n, 1n].map(size => user32?.SendMessageW(window, getIcon, size, 0n) !== 0n)
process.stdout.write(JSON.stringify({ texts, icons }))

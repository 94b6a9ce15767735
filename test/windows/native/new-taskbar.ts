// Removes the icon of the window with a title, as the end of a taskbar does, then says to all windows that a new one is there.
import { openSystemLibrary, wideText } from '../../../packages/protocol-core/src/windows/index.ts'

const user32 = openSystemLibrary('user32', {
  FindWindowW: { return: 'uint64', arguments: ['pointer', 'buffer'] },
  RegisterWindowMessageW: { return: 'uint32', arguments: ['buffer'] },
  SendNotifyMessageW: { return: 'int32', arguments: ['uint64', 'uint32', 'uint64', 'int64'] },
})
const shell32 = openSystemLibrary('shell32', {
  Shell_NotifyIconW: { return: 'int32', arguments: ['uint32', 'buffer'] },
})
const [remove, all] = [2, 0xffffn]
const data = Buffer.alloc(976)
data.writeUInt32LE(data.length, 0)
data.writeBigUInt64LE(user32?.FindWindowW(null, wideText(process.argv[2] ?? '')) ?? 0n, 8)
data.writeUInt32LE(1, 16)
const wasShown = shell32?.Shell_NotifyIconW(remove, data) === 1
user32?.SendNotifyMessageW(all, user32.RegisterWindowMessageW(wideText('TaskbarCreated')), 0n, 0n)
process.stdout.write(JSON.stringify({ wasShown }))

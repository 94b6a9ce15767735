// Ends the session for the window with a title as Windows does at a log-off: asks, then tells, and waits for the window.
import { openSystemLibrary, wideText } from '../../../packages/protocol-core/src/windows/index.ts'

const functions = {
  FindWindowW: { return: 'uint64', arguments: ['pointer', 'buffer'] },
  SendMessageTimeoutW: {
    return: 'int64',
    arguments: ['uint64', 'uint32', 'uint64', 'int64', 'uint32', 'uint32', 'buffer'],
  },
} as const
const messages = { queryEndSession: 0x11, endSession: 0x16 }
const timeoutMs = 60_000

const user32 = openSystemLibrary('user32', functions)
const window = user32?.FindWindowW(null, wideText(process.argv[2] ?? '')) ?? 0n
const answer = Buffer.alloc(8)
user32?.SendMessageTimeoutW(window, messages.queryEndSession, 0n, 0n, 0, timeoutMs, answer)
const mayEnd = answer.readBigInt64LE() !== 0n
user32?.SendMessageTimeoutW(window, messages.endSession, 1n, 0n, 0, timeoutMs, answer)
process.stdout.write(JSON.stringify({ mayEnd }))

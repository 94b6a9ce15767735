import { dirname } from 'node:path'
import { nativeCalls, openSystemLibrary, wideText } from '@service-link/protocol-core/windows'

const maxProcesses = 16_384
/** Handles and pointers are numbers here: `uint64` takes a bigint. */
const functions = {
  kernel32: {
    K32EnumProcesses: { return: 'int32', arguments: ['buffer', 'uint32', 'buffer'] },
    ProcessIdToSessionId: { return: 'int32', arguments: ['uint32', 'buffer'] },
    WaitForSingleObject: { return: 'uint32', arguments: ['uint64', 'uint32'] },
    GetExitCodeProcess: { return: 'int32', arguments: ['uint64', 'buffer'] },
    CloseHandle: { return: 'int32', arguments: ['uint64'] },
  },
  wtsapi32: { WTSQueryUserToken: { return: 'int32', arguments: ['uint32', 'buffer'] } },
  userenv: {
    CreateEnvironmentBlock: { return: 'int32', arguments: ['buffer', 'uint64', 'int32'] },
    DestroyEnvironmentBlock: { return: 'int32', arguments: ['uint64'] },
  },
  advapi32: {
    CreateProcessAsUserW: {
      return: 'int32',
      arguments: [
        ...(['uint64', 'buffer', 'buffer', 'uint64', 'uint64', 'int32'] as const),
        ...(['uint32', 'uint64', 'buffer', 'buffer', 'buffer'] as const),
      ],
    },
  },
} as const

/** Size of `STARTUPINFOW` and place of the pointer to its desktop; size of `PROCESS_INFORMATION`. */
const startup = { bytes: 104, desktop: 16 } as const
const processBytes = 24
const unicodeEnvironment = 0x400

/**
 * Runs this executable on each desktop of the machine as the user of that desktop, and waits for all. Only the system (`LocalSystem`)
 * may: an installer for all users. It gives a user's program nothing but arguments, and reads nothing of the user's.
 *
 * @param timeoutMs longest wait for all, in milliseconds
 * @returns whether it ran on each desktop and ended with 0; false on other systems and for other users
 */
export function runOnDesktops(args: readonly string[], timeoutMs: number): boolean {
  const kernel32 = openSystemLibrary('kernel32', functions.kernel32)
  const wtsapi32 = openSystemLibrary('wtsapi32', functions.wtsapi32)
  const userenv = openSystemLibrary('userenv', functions.userenv)
  const advapi32 = openSystemLibrary('advapi32', functions.advapi32)
  const native = nativeCalls()
  if (!kernel32 || !wtsapi32 || !userenv || !advapi32 || !native) return false

  const sessions = () => {
    const ids = Buffer.alloc(4 * maxProcesses)
    const written = Buffer.alloc(4)
    kernel32.K32EnumProcesses(ids, ids.length, written)
    const found = new Set<number>()
    const session = Buffer.alloc(4)
    for (let at = 0; at < written.readUInt32LE(); at += 4)
      if (kernel32.ProcessIdToSessionId(ids.readUInt32LE(at), session)) found.add(session.readUInt32LE())
    return found
  }
  const start = (session: number): bigint | undefined => {
    const token = Buffer.alloc(8)
    // Nobody is logged on to the session of the services, or to a session that waits for a log-on.
    if (!wtsapi32.WTSQueryUserToken(session, token)) return undefined
    const block = Buffer.alloc(8)
    // Behind the structure that points to it: an argument stays in memory for the call, and a buffer that is only pointed to may not.
    const information = Buffer.concat([Buffer.alloc(startup.bytes), wideText('winsta0\\default')])
    information.writeUInt32LE(startup.bytes)
    const desktop = native.getRawPointer(information) + BigInt(startup.bytes)
    information.writeBigUInt64LE(desktop, startup.desktop)
    const made = Buffer.alloc(processBytes)
    try {
      if (!userenv.CreateEnvironmentBlock(block, token.readBigUInt64LE(), 0)) return undefined
      const line = wideText(`"${process.execPath}" ${args.join(' ')}`)
      const isStarted = advapi32.CreateProcessAsUserW(
        ...([token.readBigUInt64LE(), wideText(process.execPath), line, 0n, 0n, 0] as const),
        ...([unicodeEnvironment, block.readBigUInt64LE()] as const),
        ...([wideText(dirname(process.execPath)), information, made] as const),
      )
      if (!isStarted) return undefined
      kernel32.CloseHandle(made.readBigUInt64LE(8))
      return made.readBigUInt64LE()
    } finally {
      if (block.readBigUInt64LE() !== 0n) userenv.DestroyEnvironmentBlock(block.readBigUInt64LE())
      kernel32.CloseHandle(token.readBigUInt64LE())
    }
  }
  const due = performance.now() + timeoutMs
  const end = (handle: bigint): boolean => {
    const exitCode = Buffer.alloc(4)
    kernel32.WaitForSingleObject(handle, Math.max(0, Math.floor(due - performance.now())))
    kernel32.GetExitCodeProcess(handle, exitCode)
    kernel32.CloseHandle(handle)
    return exitCode.readUInt32LE() === 0
  }
  const started = [...sessions()].map(start).filter(handle => handle !== undefined)
  return started.map(end).every(Boolean) && started.length > 0
}

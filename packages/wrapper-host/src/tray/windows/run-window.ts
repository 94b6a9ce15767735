/**
 * The thread of a window. Its text is the thread's program, so it uses nothing of this module.
 *
 * It blocks in Windows' message loop, and sends messages that concern an icon to the thread that started it. That thread makes pictures,
 * texts and menus; here happens what the thread of the window must do itself, and what a taskbar that hangs holds up.
 */
export function runWindow(): void {
  const { parentPort, receiveMessageOnPort, threadId, workerData } =
    process.getBuiltinModule('node:worker_threads')
  const { libraries, title, messages, sessionEnds, sessionEndMs, state } = workerData
  process.emitWarning = () => undefined
  const { dlopen, getRawPointer } = process.getBuiltinModule('node:ffi')
  const { functions: shell32 } = dlopen(libraries.shell32, {
    Shell_NotifyIconW: { return: 'int32', arguments: ['uint32', 'buffer'] },
  })
  const { lib, functions: user32 } = dlopen(libraries.user32, {
    RegisterClassExW: { return: 'uint16', arguments: ['buffer'] },
    UnregisterClassW: { return: 'int32', arguments: ['buffer', 'uint64'] },
    CreateWindowExW: {
      return: 'uint64',
      arguments: [
        ...(['uint32', 'buffer', 'buffer', 'uint32', 'int32', 'int32', 'int32', 'int32'] as const),
        ...(['uint64', 'uint64', 'uint64', 'uint64'] as const),
      ],
    },
    DestroyWindow: { return: 'int32', arguments: ['uint64'] },
    DefWindowProcW: { return: 'int64', arguments: ['uint64', 'uint32', 'uint64', 'int64'] },
    GetMessageW: { return: 'int32', arguments: ['buffer', 'uint64', 'uint32', 'uint32'] },
    DispatchMessageW: { return: 'int64', arguments: ['buffer'] },
    PostMessageW: { return: 'int32', arguments: ['uint64', 'uint32', 'uint64', 'int64'] },
    PostQuitMessage: { return: 'void', arguments: ['int32'] },
    RegisterWindowMessageW: { return: 'uint32', arguments: ['buffer'] },
    SetThreadDpiAwarenessContext: { return: 'uint64', arguments: ['int64'] },
    SetForegroundWindow: { return: 'int32', arguments: ['uint64'] },
    TrackPopupMenuEx: {
      return: 'int32',
      arguments: ['uint64', 'uint32', 'int32', 'int32', 'uint64', 'uint64'],
    },
  })
  const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le')
  const windowMessages = { null: 0x0000, destroy: 0x0002, close: 0x0010, settingChange: 0x001a, dpi: 0x02e0 }
  const taskbarCreated = user32.RegisterWindowMessageW(wide('TaskbarCreated'))
  const forwarded = [
    ...[messages.icon, taskbarCreated],
    ...[windowMessages.close, windowMessages.settingChange, windowMessages.dpi],
  ]
  const send = (message: number, first: bigint, second: bigint) =>
    parentPort?.postMessage({ message, first, second })

  /** Windows closes a menu at a click elsewhere only if its window is in the foreground, and then needs a message. */
  function openMenu(window: bigint, menu: bigint, place: bigint): bigint {
    const x = Number(BigInt.asIntN(16, place))
    const y = Number(BigInt.asIntN(16, place >> 16n))
    const returnsChosen = 0x0100
    const byEitherButton = 0x0002
    user32.SetForegroundWindow(window)
    const chosen = user32.TrackPopupMenuEx(menu, returnsChosen | byEitherButton, x, y, window, 0n)
    user32.PostMessageW(window, windowMessages.null, 0n, 0n)
    return BigInt(chosen)
  }

  const icon = { add: 0, modify: 1, delete: 2, setVersion: 4, versionAt: 816 }
  /** Names the icon, if the taskbar may have it. */
  let shown: Buffer | undefined

  function notify(action: 'show' | 'change', data: Buffer): boolean {
    const call = (what: number) => shell32.Shell_NotifyIconW(what, data) !== 0
    if (action === 'change') return call(icon.modify)
    shown = data
    // A busy taskbar may have taken an icon whose adding failed.
    if (!call(icon.add) && !call(icon.modify)) return false
    // By version 4 a message tells its place and the keyboard counts.
    data.writeUInt32LE(4, icon.versionAt)
    return call(icon.setVersion)
  }

  function notifyAll(): void {
    if (!parentPort) return
    for (let next = receiveMessageOnPort(parentPort); next; next = receiveMessageOnPort(parentPort)) {
      const { number, action, data } = next.message
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      parentPort.postMessage({ number, isDone: notify(action, bytes) })
    }
  }

  /** The taskbar would show the icon of a window that is gone until the pointer comes there. */
  function close(window: bigint): void {
    if (shown) shell32.Shell_NotifyIconW(icon.delete, shown)
    user32.DestroyWindow(window)
  }

  /** Windows may end the process as soon as its window has taken this message. */
  function endSession(): void {
    send(sessionEnds, 0n, 0n)
    Atomics.wait(state, 1, 0, sessionEndMs)
  }

  // Node ends the process if this throws.
  function handle(window: bigint, message: number, first: bigint, second: bigint): bigint {
    if (message === messages.close) close(window)
    else if (message === messages.notify) notifyAll()
    else if (message === sessionEnds && first !== 0n) endSession()
    else if (message === windowMessages.destroy) user32.PostQuitMessage(0)
    else if (message === messages.openMenu) send(messages.chosen, openMenu(window, first, second), 0n)
    else {
      if (forwarded.includes(message)) send(message, first, second)
      if (message !== windowMessages.close) return user32.DefWindowProcW(window, message, first, second)
    }
    return 0n
  }

  // Positions and sizes in true pixels on each screen.
  user32.SetThreadDpiAwarenessContext(-4n)
  // A class outlives its thread.
  const name = wide(`Service Link Tray ${threadId}`)
  const windowClass = Buffer.alloc(80)
  const procedure = lib.registerCallback(
    { return: 'int64', arguments: ['uint64', 'uint32', 'uint64', 'int64'] },
    handle,
  )
  windowClass.writeUInt32LE(windowClass.length, 0)
  windowClass.writeBigUInt64LE(procedure, 8)
  windowClass.writeBigUInt64LE(getRawPointer(name), 64)
  try {
    const isRegistered = user32.RegisterClassExW(windowClass) !== 0
    const [popup, toolWindow] = [0x80000000, 0x80]
    const shape = [popup, 0, 0, 0, 0, 0n, 0n, 0n, 0n] as const
    const window = isRegistered ? user32.CreateWindowExW(toolWindow, name, wide(title), ...shape) : 0n
    if (window === 0n) throw new Error('Windows makes no window.')
    parentPort?.postMessage({ window, taskbarCreated })
    const message = Buffer.alloc(48)
    while (user32.GetMessageW(message, 0n, 0, 0) > 0) user32.DispatchMessageW(message)
    user32.UnregisterClassW(name, 0n)
  } finally {
    Atomics.store(state, 0, 1)
    Atomics.notify(state, 0)
  }
}

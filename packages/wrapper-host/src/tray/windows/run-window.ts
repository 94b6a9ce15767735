/**
 * The thread of a window. Its text is the thread's program, so it uses nothing of this module.
 *
 * It blocks in Windows' message loop, and sends messages that concern an icon to the thread that started it. That thread changes icon
 * and menu; here happens only what the thread of the window must do itself.
 */
export function runWindow(): void {
  const { parentPort, threadId, workerData } = process.getBuiltinModule('node:worker_threads')
  const { library, title, messages, state } = workerData
  process.emitWarning = () => undefined
  const { dlopen, getRawPointer } = process.getBuiltinModule('node:ffi')
  const { lib, functions: user32 } = dlopen(library, {
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

  // Node ends the process if this throws.
  function handle(window: bigint, message: number, first: bigint, second: bigint): bigint {
    if (message === messages.close) user32.DestroyWindow(window)
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

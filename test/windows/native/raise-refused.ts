import { openUser32, TopWindow } from '../../../packages/window-engine/src/platform/windows/top-window.ts'

/** Raises the window of the process in the first argument, as where Windows refuses the foreground: Wine never does. */
const user32 = openUser32()
if (!user32) throw new Error('This Node has no node:ffi.')
const { pointer } = user32.SetForegroundWindow
const refuse = Object.assign(() => 0, { pointer })
new TopWindow({ ...user32, SetForegroundWindow: refuse }, Number(process.argv[2])).raise()

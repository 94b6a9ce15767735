// Shows the icon until it is killed. The argument is the folder for the program.
import { createSystray } from '../../src/tray/create-systray.ts'

const [folder = ''] = process.argv.slice(2)
await createSystray({ folder, readyTimeoutMs: 60_000 }).open({ tooltip: 'Wrapper', items: [] })

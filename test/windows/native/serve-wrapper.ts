import { createMemoryWebApp, startTestWrapper } from '../../../packages/wrapper-host/src/testing/index.ts'

// Runs in Node for Windows: a wrapper with one workout. It prints its process id and folder, and runs until a close.
const workouts = [{ id: 3, userId: 8, name: 'Kné 漢字', lastChangedAt: '2026-02-01T10:00:00Z' }]
const wrapper = await startTestWrapper({ version: '3.1.4.1', webApp: createMemoryWebApp({ workouts }) })
console.log(`listens ${wrapper.pid} ${wrapper.folders.userFolder}`)
await wrapper.closed
console.log(JSON.stringify(wrapper.calls))

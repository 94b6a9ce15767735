// `npm run screenshots`: takes the pictures of the documentation, of the real wrapper on a screen of its own.
import { takeDemo } from './demo-picture.ts'
import { setStage } from './set-stage.ts'
import { takeTrayMenu } from './tray-menu-picture.ts'
import { takeUnreachable } from './unreachable-picture.ts'
import { takeUpdateNotice } from './update-notice-picture.ts'

await using resources = new AsyncDisposableStack()
const stage = await setStage(resources)
await takeUpdateNotice(stage)
await takeDemo(stage)
await takeTrayMenu(stage)
await takeUnreachable(stage)

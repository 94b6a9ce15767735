import { openAddress } from '../../../packages/window-engine/src/platform/windows/open-address.ts'

// Runs in Node for Windows.
const [, , url = ''] = process.argv
process.stdout.write(JSON.stringify(openAddress(url)))

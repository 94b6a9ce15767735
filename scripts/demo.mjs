// Starts the demo, or its check. Gets a browser first if there is none.
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './browser.mjs'
import { runChild } from './run-child.mjs'
import { noInstall } from './system-packages.mjs'

const args = process.argv.slice(2).filter(argument => argument !== noInstall)
const needsNone = ['--help', '-h', '--no-wrapper'].some(option => args.includes(option))
const fetched = needsNone ? undefined : await ensureBrowser({ isCheck: args.includes('--check') })
const main = fileURLToPath(new URL('../apps/demo/src/main.ts', import.meta.url))
runChild(process.execPath, [...process.execArgv, main, ...args], {
  env: { ...process.env, ...(fetched ? { SERVICE_BROWSER: fetched } : {}) },
})

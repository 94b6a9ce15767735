// Loaded before a program: when it ends, what it loaded is written to the file that MODULE_LIST names.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const before = new Set(internalModules())
const files: string[] = []
registerHooks({
  load(url, context, next) {
    files.push(url)
    return next(url, context)
  },
})
process.on('exit', () => {
  const ofNode = internalModules().filter(name => !before.has(name))
  writeFileSync(process.env.MODULE_LIST ?? '', JSON.stringify({ files, ofNode }))
})

/** Everything of Node that is loaded, also what another part of it loaded: `NativeModule net`. */
function internalModules(): string[] {
  return [...Reflect.get(process, 'moduleLoadList')].map(name => String(name).replace('NativeModule ', ''))
}

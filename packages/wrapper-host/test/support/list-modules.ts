// Preload that writes the program's loaded modules to the file MODULE_LIST at its end.
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

/** All loaded modules of Node, such as `NativeModule net`, indirect ones included. */
function internalModules(): string[] {
  return [...Reflect.get(process, 'moduleLoadList')].map(name => String(name).replace('NativeModule ', ''))
}

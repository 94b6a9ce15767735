// Loaded before a program: when it ends, the files that it loaded are written to the file that MODULE_LIST names.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const files: string[] = []
registerHooks({
  load(url, context, next) {
    files.push(url)
    return next(url, context)
  },
})
process.on('exit', () => writeFileSync(process.env.MODULE_LIST ?? '', JSON.stringify(files)))

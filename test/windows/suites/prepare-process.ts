// Preloaded in every process of Node for Windows that belongs to the suites.
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { listPipes } from './list-pipes.ts'
import { packageFolder } from './package-folder.ts'
import { supplyKeepAlive } from './supply-keep-alive.ts'

registerHooks({
  resolve(specifier, context, next) {
    const folder = packageFolder(specifier)
    if (!folder) return next(specifier, context)
    // By the package's manifest, as Node resolves a self-reference.
    const parentURL = new URL('package.json', folder).href
    return next(specifier, {
      ...context,
      parentURL,
      conditions: [...context.conditions, '@service-link/source'],
    })
  },
})

listPipes(fileURLToPath(new URL('../../../pipes/', import.meta.url)))
supplyKeepAlive()

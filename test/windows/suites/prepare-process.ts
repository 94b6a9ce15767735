// Preloaded in every process of Node for Windows that belongs to the suites.
import { registerHooks } from 'node:module'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { listPipes } from './list-pipes.ts'
import { packageFolder } from './package-folder.ts'

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
// Wine refuses TCP keep-alive times on a socket that is still connecting, as `fetch` sets them, and the connection fails.
Socket.prototype.setKeepAlive = function (this: Socket) {
  return this
}

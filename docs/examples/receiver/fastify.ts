import { nodeHandler } from '@service-link/receiver/node'
import fastify from 'fastify'
import { receiver } from './receiver.ts'

const answer = nodeHandler(receiver)
export const app = fastify()
app.register(async scope => {
  // The receiver reads the form by itself, also beside @fastify/formbody.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const path of ['/partner/*', '/.well-known/partner-link'])
    scope.all(path, async (request, reply) => {
      reply.hijack()
      await answer(request.raw, reply.raw)
    })
})

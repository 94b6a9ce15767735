// Entry for servers of Node: `node:http`, Express, Fastify. Withheld: the reading of requests, because the handler is all of it.
export { type NodeHandler, type NodeHandlerOptions, type NodeRequest, nodeHandler } from './node-handler.ts'

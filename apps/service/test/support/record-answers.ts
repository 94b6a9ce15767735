import { ServerResponse } from 'node:http'
import { recordText } from './record.ts'

// Imported or preloaded for its effect: the service's error answers of this process are recorded.

const bodies = new WeakMap<object, string>()
const { writeHead, write, end } = ServerResponse.prototype

ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
  // Other servers of a test, such as the partner's, have no request ids.
  const names = [...Object.keys(Object(args.at(-1))), ...this.getHeaderNames()]
  if (Number(args[0]) >= 400 && names.some(name => name.toLowerCase() === 'x-request-id'))
    bodies.set(this, '')
  return Reflect.apply(writeHead, this, args)
}

function keep(response: ServerResponse, chunk: unknown): void {
  const body = bodies.get(response)
  if (body !== undefined && (typeof chunk === 'string' || chunk instanceof Uint8Array))
    bodies.set(response, body + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')))
}

ServerResponse.prototype.write = function (this: ServerResponse, ...args: unknown[]) {
  keep(this, args[0])
  return Reflect.apply(write, this, args)
}

ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  keep(this, args[0])
  const body = bodies.get(this)
  if (body !== undefined) recordText('error answer', body)
  return Reflect.apply(end, this, args)
}

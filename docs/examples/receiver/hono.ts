import { Hono } from 'hono'
import { receiver } from './receiver.ts'

export const app = new Hono()
  .all('/partner/payload', context => receiver.receive(context.req.raw))
  .all('/partner/payload/open/:handle', context => receiver.open(context.req.raw))
  .all('/.well-known/partner-link', context => receiver.describe(context.req.raw))

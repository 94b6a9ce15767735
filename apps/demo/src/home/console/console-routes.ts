import { listWrapperRecords } from '@service-link/pipe-client/records'
import { commandNames } from '@service-link/protocol-core'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { validator } from 'hono/validator'
import * as z from 'zod/mini'
import { describeForms, transports } from './prepare-request.ts'
import { readLog } from './read-log.ts'
import { type LaunchProgram, sendRequest } from './send-request.ts'

interface ConsoleOptions {
  /** The wrapper's per-user folder. */
  readonly userFolder: string
  readonly launch: LaunchProgram
}

export type ConsoleApp = ReturnType<typeof consoleRoutes>

const requestSchema = z.object({
  transport: z.enum(transports),
  command: z.enum(commandNames),
  args: z.record(z.string(), z.string()),
})

const readRequest = validator('json', value => {
  const { data } = requestSchema.safeParse(value)
  if (!data) throw new HTTPException(400, { message: 'This is no request of the console.' })
  return data
})

/** The console's server: what the wrapper's debug log has of its exchanges, the forms of its commands, and their sending. */
export function consoleRoutes({ userFolder, launch }: ConsoleOptions) {
  const findWrapper = () => listWrapperRecords(userFolder)[0]
  return new Hono()
    .get('/forms', c => c.json(describeForms()))
    .post('/requests', readRequest, async c =>
      c.json(await sendRequest(c.req.valid('json'), { launch, wrapper: findWrapper() })),
    )
    .get('/exchanges/:from', async c => {
      const found = findWrapper()
      const wrapper = found ? { pid: found.pid, version: found.version } : null
      return c.json({ wrapper, ...(await readLog(userFolder, Number(c.req.param('from')))) })
    })
}

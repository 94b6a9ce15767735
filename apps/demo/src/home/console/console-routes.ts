import { lstatSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listWrapperRecords } from '@service-link/pipe-client/records'
import { isThisUsersAlone } from '@service-link/pipe-client/running'
import {
  type Brand,
  commandNames,
  defaultBrand,
  pipeAddress,
  unixPipeFolder,
} from '@service-link/protocol-core'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { validator } from 'hono/validator'
import * as z from 'zod/mini'
import { streamItems } from '../stream-items.ts'
import { copyAs } from './copy-as.ts'
import { describeForms, transports } from './prepare-request.ts'
import { type LaunchProgram, sendRequest } from './send-request.ts'
import type { ShellLines } from './shell-lines.ts'
import { type WatchItem, watchTraffic } from './watch-traffic.ts'

interface ConsoleOptions {
  /** Variables that lead programs to the wrapper: its two folders. */
  readonly environment: Readonly<Record<'SERVICE_WRAPPER_ROOT' | 'SERVICE_WRAPPER_DATA', string>>
  readonly launch: LaunchProgram
  readonly shell: ShellLines
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand
  /** Ends the streams and the connection to the wrapper. */
  readonly ending: AbortSignal
}

export type ConsoleApp = ReturnType<typeof consoleRoutes>

const cloneFolder = fileURLToPath(new URL('../../../../..', import.meta.url))

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

/** The console's server: the wrapper's traffic, the forms of its commands, and their sending. */
export function consoleRoutes({ environment, launch, shell, brand = defaultBrand, ending }: ConsoleOptions) {
  const userFolder = environment.SERVICE_WRAPPER_DATA
  const watch = watchTraffic({ userFolder, brand, signal: ending })
  /** The running wrapper's record. */
  const findWrapper = () => {
    const { state } = watch
    if (state.kind === 'watching') return listWrapperRecords(userFolder).find(({ pid }) => pid === state.pid)
  }
  /** The pipe for programs in the field, which the copied ones use. */
  const fieldAddress = () => {
    const pid = findWrapper()?.pid
    if (pid === undefined) return undefined
    const address = pipeAddress(brand, pid, process.platform, unixPipeFolder(process.env))
    return isOwnPipe(address) ? address : undefined
  }
  return new Hono()
    .get('/forms', c => c.json(describeForms()))
    .post('/copies', readRequest, c =>
      c.json(copyAs(c.req.valid('json'), { cloneFolder, environment, shell, pipeAddress: fieldAddress() })),
    )
    .post('/requests', readRequest, async c => {
      const wrapper = findWrapper()
      if (!wrapper) return c.json({ isDone: false, text: 'No wrapper runs. Start one first.', durationMs: 0 })
      return c.json(await sendRequest(c.req.valid('json'), { launch, wrapper }))
    })
    .get('/traffic', c => streamItems<WatchItem>(c, ending, watch.listen))
}

/** Whether no other user holds the pipe. Windows does not tell. */
function isOwnPipe(address: string): boolean {
  if (process.platform === 'win32') return true
  const found = lstatSync(address, { throwIfNoEntry: false })
  return found?.isSocket() === true && isThisUsersAlone(found)
}

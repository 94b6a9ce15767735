import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import type { OpenDatabase } from '../database/open-database.ts'
import type { AppEnv } from '../http/app-env.ts'
import { createConsumerAuth } from './consumer-auth.ts'
import type { EIdSettings } from './e-id-settings.ts'
import { issuerConnection } from './issuer-connection.ts'
import { logInRoutes } from './log-in-routes.ts'
import { transactionSeal } from './log-in-transaction.ts'
import { myRoutes } from './my-routes.ts'

/** What {@link createMy} needs. */
export interface CreateMyOptions {
  /** Where browsers reach the service. */
  readonly publicUrl: string
  readonly open: OpenDatabase
  /** The service's key of cookies. */
  readonly secret: string
  /** Folder of the built web app. */
  readonly webAppFolder: string
  /** `undefined`: the consumer app says that it is not set up. */
  readonly eId: EIdSettings | undefined
  readonly logger: Logger
}

/** The consumer app's addresses. */
export interface My {
  /** Below `/api/my`. */
  readonly api: Hono<AppEnv>
  /** `/my` and everything below: the log-in, and the page of the app. */
  readonly pages: Hono<AppEnv>
}

/** The consumer app "my workouts": log-in through a national electronic ID, and what the person was given. */
export function createMy({ publicUrl, open, secret, webAppFolder, eId, logger }: CreateMyOptions): My {
  const { database, dialectName } = open
  const auth = createConsumerAuth({ database, dialectName, publicUrl, secret })
  const issuer = eId && { settings: eId, connection: issuerConnection(eId) }
  const seal = transactionSeal(secret)
  const page = new Hono<AppEnv>().on('GET', ['/my', '/my/*'], async c => {
    c.header('cache-control', 'no-store')
    return c.html(await readFile(join(webAppFolder, 'my.html'), 'utf8'))
  })
  const logIn = logInRoutes({ publicUrl, database, auth, seal, issuer, logger })
  return {
    api: new Hono<AppEnv>().route('/', myRoutes({ publicUrl, database, auth, issuer })),
    pages: new Hono<AppEnv>().route('/my', logIn).route('/', page),
  }
}

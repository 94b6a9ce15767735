import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { type CreateServiceOptions, createService, type Service } from '../../src/server/create-service.ts'
import { createPartnerKey, type PartnerKey } from '../../src/testing/partner-key.ts'
import { testAccounts } from './accounts.ts'
import './cheap-passwords.ts'
import './localhost.ts'
import { askPostgres, databasesIn, patientUrl } from '@service-link/test-kit/postgres'
import { keepLog } from './log.ts'
import type {} from './postgres-setup.ts'
import { makeFolderOfRun, recordPart, recordText } from './record.ts'
import './record-answers.ts'

/** A service with a separate database, and the partner that may post to it. */
export interface RunningService extends AsyncDisposable {
  readonly service: Service
  readonly key: PartnerKey
  readonly dataFolder: string
  /** The place of its data, for a second service on them. */
  readonly storage: Pick<CreateServiceOptions, 'dataFolder' | 'databaseUrl'>
}

/** Starts a service on the project's kind of database, a new one unless the options name one. */
export async function startService(options: Partial<CreateServiceOptions> = {}): Promise<RunningService> {
  await using resources = new AsyncDisposableStack()
  const { dataFolder, databaseUrl } = options
  const storage =
    dataFolder === undefined
      ? await makeStorage(resources)
      : { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) }
  const key = await createPartnerKey()
  const service = resources.use(
    await createService({
      port: 0,
      partners: [key.registration],
      demoAccounts: testAccounts,
      logger: keepLog().logger,
      ...options,
      ...storage,
    }),
  )
  const owned = resources.move()
  return {
    service,
    key,
    dataFolder: storage.dataFolder,
    storage,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Storage for a service on the project's kind of database; removed with the resources. */
export async function makeStorage(
  resources: AsyncDisposableStack,
  { isEmpty = false }: { readonly isEmpty?: boolean } = {},
): Promise<RunningService['storage']> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'service-link-demo-'))
  resources.defer(() => rm(dataFolder, { recursive: true, force: true }))
  const databaseUrl = await makeDatabase(resources, isEmpty)
  if (databaseUrl === undefined && !isEmpty)
    await copyFile(join(await filledFolder(), databaseFile), join(dataFolder, databaseFile))
  recordPart(databaseUrl === undefined ? 'embedded database' : 'PostgreSQL')
  const storage = { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) }
  resources.defer(() => recordAudit(storage))
  return storage
}

const databaseFile = 'service.sqlite'

let filled: Promise<string> | undefined

/** A folder with an embedded database with tables, library and accounts. Making one takes a second. */
function filledFolder(): Promise<string> {
  filled ??= fillFolder()
  return filled
}

async function fillFolder(): Promise<string> {
  const dataFolder = await makeFolderOfRun('template-')
  const service = await createService({
    port: 0,
    dataFolder,
    partners: [],
    demoAccounts: testAccounts,
    logger: keepLog().logger,
  })
  await service.close()
  return dataFolder
}

/** Records the audit log of its services before the storage is removed. */
export async function recordAudit(storage: RunningService['storage']): Promise<void> {
  if (storage.databaseUrl === undefined && !existsSync(join(storage.dataFolder, databaseFile))) return
  for (const row of await query({ storage }, 'select * from audit_entries'))
    recordText('audit row', JSON.stringify(row))
}

/** A new database; `undefined` where the tests use the embedded one in the folder. */
async function makeDatabase(resources: AsyncDisposableStack, isEmpty: boolean): Promise<string | undefined> {
  const provided = inject('postgres')
  if (provided === undefined) return undefined
  const databases = databasesIn(provided.folder)
  const name = await databases.create(isEmpty ? undefined : provided.template)
  resources.defer(() => databases.drop(name))
  return patientUrl(databases.urlOf(name))
}

/** Reads or writes a service's database directly. */
export async function query(
  { storage }: Pick<RunningService, 'storage'>,
  statement: string,
): Promise<Record<string, unknown>[]> {
  if (storage.databaseUrl !== undefined) return askPostgres(storage.databaseUrl, statement)
  using database = new DatabaseSync(join(storage.dataFolder, databaseFile))
  return database.prepare(statement).all()
}

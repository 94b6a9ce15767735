import { createPartner, type Partner } from '../partner/create-partner.ts'
import { createPartnerKey } from '../partner/partner-key.ts'
import { type DemoAccount, demoAccounts } from '../service/auth/demo-accounts.ts'
import { createService, type Service } from '../service/create-service.ts'

/** Options of {@link startServers}. */
export interface StartServersOptions {
  /** Folder of the service's embedded database. */
  readonly dataFolder: string
  /** 0 takes a free port. */
  readonly servicePort: number
  /** 0 takes a free port. */
  readonly partnerPort: number
}

/** The two servers of the demo. */
export interface DemoServers extends AsyncDisposable {
  readonly service: Service
  readonly partner: Partner
  /** Who logs in to the service. */
  readonly employee: DemoAccount
}

/** Starts the service, told of the partner's public key, and the partner application, told where the service is. */
export async function startServers(options: StartServersOptions): Promise<DemoServers> {
  const [employee] = demoAccounts
  if (!employee) throw new TypeError('The demo has no account.')
  await using resources = new AsyncDisposableStack()
  const key = await createPartnerKey()
  const service = resources.use(
    await createService({
      port: options.servicePort,
      dataFolder: options.dataFolder,
      partners: [key.registration],
      demoAccounts,
      showsDemoAccounts: true,
    }),
  )
  const partner = resources.use(
    await createPartner({ serviceUrl: service.url, key, port: options.partnerPort }),
  )
  const owned = resources.move()
  return { service, partner, employee, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

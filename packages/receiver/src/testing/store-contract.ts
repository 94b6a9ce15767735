import { assertParameter } from '@service-link/protocol-core/errors'
import { employeeDigestOf } from '../stores/digests.ts'
import type { AuditEntry, Delivery, ReplayClaim } from '../stores/ports.ts'
import { contactBookCases } from './contact-book-contract.ts'
import {
  assertSame,
  atOnce,
  BrokenRuleError,
  type ContractCases,
  type ContractStores,
  contractWorld,
  firstAccount as first,
  later,
  now,
  otherAccount,
  rollBack,
  type StoreContractWorld,
  secondAccount as second,
  transact,
} from './contract-case.ts'

const employee = { partnerId: 'p', organizationId: 'o', employeeId: 'e' }

function replayGuardCases(): ContractCases {
  const claim = (requestId: string): ReplayClaim => ({ key: 'p jti', expiresAt: later(300), requestId })
  const consume = (stores: ContractStores, requestId: string) =>
    transact(stores, ({ replay }) => replay.consume(claim(requestId)))
  return {
    'gives a key to the first request, and again to that one only': async stores => {
      assertSame(await consume(stores, 'r1'), 'taken')
      assertSame(await consume(stores, 'r2'), 'used')
      assertSame(await consume(stores, 'r1'), 'again')
    },
    'gives a key to exactly one of a hundred at once': async stores => {
      const taken = await atOnce(100, index => consume(stores, `r${index}`))
      assertSame(
        taken.filter(result => result !== 'used'),
        ['taken'],
      )
    },
    'gives a key again if the transaction that took it rolled back': async stores => {
      await rollBack(stores, ({ replay }) => replay.consume(claim('r1')))
      assertSame(await consume(stores, 'r2'), 'taken')
    },
  }
}

function heldDeliveryCases(): ContractCases {
  const delivery: Delivery = {
    requestId: 'r1',
    partner: { id: 'p', name: 'P', appearance: {}, frameOrigins: [] },
    employee,
    person: { customId: 'c' },
    payload: { organizationId: 'o', employeeId: 'e', contact: { id: 'c' } },
  }
  const hold = { handleDigest: 'digest', expiresAt: later(60) }
  const put = (stores: ContractStores) => transact(stores, ({ held }) => held.hold('open', hold, delivery))
  const take = (stores: ContractStores, at = now) =>
    transact(stores, ({ held }) => held.take('open', 'digest', at))
  return {
    'takes out nothing of an employee whose context has ended since, and later deliveries again':
      async stores => {
        const linkId = await employeeDigestOf(employee)
        const other = { ...delivery, employee: { ...employee, employeeId: 'other' } }
        await put(stores)
        await transact(stores, ({ held }) => held.hold('log-in', { ...hold, handleDigest: 'other' }, other))
        await transact(stores, ({ accounts }) => accounts.endContext(linkId, 'end'))
        const taken = (digest: string) =>
          transact(stores, async ({ held }) => (await held.take('log-in', digest, now))?.employee)
        assertSame([await taken('digest'), await taken('other')], [undefined, other.employee])
        await transact(stores, ({ held }) =>
          held.hold('log-in', { ...hold, handleDigest: 'later' }, delivery),
        )
        assertSame(await taken('later'), employee)
      },
    'gives a delivery out unchanged, once, to one of ten at once': async stores => {
      await put(stores)
      const taken = await atOnce(10, () => take(stores))
      assertSame(
        taken.filter(one => one !== undefined),
        [delivery],
      )
    },
    'holds a delivery once if its transaction is run again': async stores => {
      await put(stores)
      await put(stores)
      assertSame(await take(stores), delivery)
      assertSame(await take(stores), undefined)
    },
    'gives a delivery out for its purpose and digest only, and before it expires': async stores => {
      await put(stores)
      const other = (purpose: 'open' | 'log-in', digest: string) =>
        transact(stores, ({ held }) => held.take(purpose, digest, now))
      assertSame(await other('log-in', 'digest'), undefined)
      assertSame(await other('open', 'other'), undefined)
      assertSame(await take(stores, later(60)), undefined)
    },
    'keeps a delivery if the transaction that takes it rolls back': async stores => {
      await put(stores)
      await rollBack(stores, ({ held }) => held.take('open', 'digest', now))
      assertSame(await take(stores), delivery)
    },
    'holds no delivery of a transaction that rolls back': async stores => {
      await rollBack(stores, ({ held }) => held.hold('open', hold, delivery))
      assertSame(await take(stores), undefined)
    },
  }
}

function accountLinkCases(): ContractCases {
  const link = (stores: ContractStores, accountId: string, employeeId = 'e') =>
    transact(stores, ({ accounts }) => accounts.link({ ...employee, employeeId }, accountId))
  const find = (stores: ContractStores, key = employee) =>
    transact(stores, ({ accounts }) => accounts.find(key))
  const accountIdOf = (account: Awaited<ReturnType<typeof link>>) =>
    typeof account === 'object' ? account.id : account
  return {
    'links an employee to the first account, and finds it with its name': async stores => {
      assertSame(await find(stores), undefined)
      assertSame(accountIdOf(await link(stores, first)), first)
      assertSame(accountIdOf(await link(stores, second)), first)
      assertSame(await find(stores), { id: first, displayName: `Name of ${first}` })
    },
    'takes another partner, organization or employee id for another employee': async stores => {
      await link(stores, first)
      for (const member of ['partnerId', 'organizationId', 'employeeId'])
        assertSame(await find(stores, { ...employee, [member]: 'q' }), undefined)
    },
    'links nobody to an account that does not exist': async stores => {
      assertSame(await link(stores, 'none'), undefined)
      assertSame(await find(stores), undefined)
    },
    'binds a partner’s organization to that of its first account, also after the link has ended':
      async stores => {
        await link(stores, first)
        assertSame(await link(stores, otherAccount, 'e2'), 'other-organization')
        assertSame(await find(stores, { ...employee, employeeId: 'e2' }), undefined)
        const linkId = await employeeDigestOf(employee)
        await transact(stores, ({ accounts }) => accounts.unlink(linkId, first))
        assertSame(await link(stores, otherAccount), 'other-organization')
        assertSame(accountIdOf(await link(stores, second)), second)
        const elsewhere = { ...employee, organizationId: 'o2' }
        const linked = await transact(stores, ({ accounts }) => accounts.link(elsewhere, otherAccount))
        assertSame(accountIdOf(linked), otherAccount)
      },
    'ends a link for its account only, once': async stores => {
      await link(stores, first)
      await link(stores, first, 'e2')
      const linkId = await employeeDigestOf(employee)
      const unlink = (accountId: string) =>
        transact(stores, ({ accounts }) => accounts.unlink(linkId, accountId))
      assertSame(await unlink(second), undefined)
      assertSame(await unlink(first), employee)
      assertSame(await unlink(first), undefined)
      assertSame(await find(stores), undefined)
      assertSame((await find(stores, { ...employee, employeeId: 'e2' }))?.id, first)
    },
  }
}

function auditLogCases(): ContractCases {
  const entry: AuditEntry = {
    at: now,
    requestId: 'r1',
    event: 'post',
    outcome: 'signed-in',
    partnerId: 'p',
    organizationId: 'o',
    accountId: first,
    employeeDigest: 'digest',
  }
  const record = (stores: ContractStores, one: AuditEntry) =>
    transact(stores, ({ audit }) => audit.record(one))
  return {
    'keeps entries unchanged, in their order, and the same one once': async stores => {
      const bare: AuditEntry = {
        ...entry,
        outcome: 'ERR_PAYLOAD_SHAPE',
        organizationId: undefined,
        accountId: undefined,
        employeeDigest: undefined,
      }
      for (const one of [entry, bare, { ...entry, at: later(1) }]) await record(stores, one)
      assertSame(await stores.auditEntries(), [entry, bare])
    },
    'tells employees of one request apart by their digests': async stores => {
      const other = { ...entry, employeeDigest: 'other' }
      const none = { ...entry, employeeDigest: undefined }
      for (const one of [entry, other, none, none, other, entry]) await record(stores, one)
      assertSame(await stores.auditEntries(), [entry, other, none])
    },
    'keeps no entry of a transaction that rolls back': async stores => {
      await rollBack(stores, ({ audit }) => audit.record(entry))
      assertSame(await stores.auditEntries(), [])
    },
  }
}

const contract: Readonly<Record<string, ContractCases>> = {
  ReplayGuard: replayGuardCases(),
  HeldDeliveries: heldDeliveryCases(),
  AccountLinks: accountLinkCases(),
  ContactBook: contactBookCases,
  AuditLog: auditLogCases(),
}

/** One case of the contract. */
export interface StoreContractCase {
  /** Port and rule, such as `AuditLog keeps no entry of a transaction that rolls back`. */
  readonly name: string
  /** @throws an `AssertionError` whose message begins with the rule, if the stores break it */
  readonly run: () => Promise<void>
}

/**
 * The contract that the stores of a receiver must pass, as cases for any test runner.
 *
 * @param makeStores makes empty stores for one case. `[Symbol.asyncDispose]`, if present, ends them
 * @throws {ParameterError} if `makeStores` is no function
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { createMemoryStore, storeContract } from '@service-link/receiver/testing'
 *
 * for (const { name, run } of storeContract(({ accounts }) => createMemoryStore({ accounts }))) test(name, run)
 * ```
 */
export function storeContract(
  makeStores: (world: StoreContractWorld) => ContractStores | Promise<ContractStores>,
): readonly StoreContractCase[] {
  assertParameter('makeStores', makeStores, 'function')
  return Object.entries(contract).flatMap(([port, cases]) =>
    Object.entries(cases).map(([rule, check]) => ({
      name: `${port} ${rule}`,
      run: async () => {
        const stores = await makeStores(contractWorld)
        try {
          await check(stores)
        } catch (error) {
          throw brokenRule(`${port} ${rule}`, error)
        } finally {
          await stores[Symbol.asyncDispose]?.()
        }
      },
    })),
  )
}

/** Says the broken rule before the difference, or before the error of a store. */
function brokenRule(rule: string, cause: unknown): BrokenRuleError {
  const { message = String(cause), actual, expected } = Object(cause)
  return new BrokenRuleError(`The stores break the rule “${rule}”. ${message}`, { actual, expected, cause })
}

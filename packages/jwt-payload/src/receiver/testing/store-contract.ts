import assert from 'node:assert/strict'
import { payloadSchema } from '@service-link/protocol-core'
import { employeeDigestOf } from '../audit.ts'
import type { AuditEntry, Delivery, ReplayClaim } from '../ports.ts'
import { contactBookCases } from './contact-book-contract.ts'
import {
  assertSame,
  atOnce,
  type ContractCases,
  type ContractStores,
  firstAccount as first,
  later,
  rollBack,
  secondAccount as second,
  storeContractWorld,
} from './contract-case.ts'

const { now } = storeContractWorld
const employee = { partnerId: 'p', organizationId: 'o', employeeId: 'e' }

function replayGuardCases(): ContractCases {
  const claim = (requestId: string): ReplayClaim => ({ key: 'p jti', expiresAt: later(300), requestId })
  const consume = (stores: ContractStores, requestId: string) =>
    stores.runTransaction(({ replay }) => replay.consume(claim(requestId)))
  return {
    'gives a key to the first request, and again to that one only': async stores => {
      assert.equal(await consume(stores, 'r1'), 'taken')
      assert.equal(await consume(stores, 'r2'), 'used')
      assert.equal(await consume(stores, 'r1'), 'again')
    },
    'gives a key to exactly one of a hundred at once': async stores => {
      const taken = await atOnce(100, index => consume(stores, `r${index}`))
      assertSame(
        taken.filter(result => result !== 'used'),
        ['taken'],
      )
    },
    'a roll-back gives the key back': async stores => {
      await rollBack(stores, ({ replay }) => replay.consume(claim('r1')))
      assert.equal(await consume(stores, 'r2'), 'taken')
    },
  }
}

function heldDeliveryCases(): ContractCases {
  const delivery: Delivery = {
    requestId: 'r1',
    partner: { id: 'p', name: 'P', appearance: {}, frameOrigins: [] },
    employee,
    person: { customId: 'c' },
    payload: payloadSchema.parse({ organizationId: 'o', employeeId: 'e', contact: { id: 'c' } }),
  }
  const hold = { handleDigest: 'digest', expiresAt: later(60) }
  const put = (stores: ContractStores) =>
    stores.runTransaction(({ held }) => held.hold('open', hold, delivery))
  const take = (stores: ContractStores, at = now) =>
    stores.runTransaction(({ held }) => held.take('open', 'digest', at))
  return {
    'are given out unchanged, once, to one of ten at once': async stores => {
      await put(stores)
      const taken = await atOnce(10, () => take(stores))
      assertSame(
        taken.filter(one => one !== undefined),
        [delivery],
      )
    },
    'are held once if their transaction is run again': async stores => {
      await put(stores)
      await put(stores)
      assertSame(await take(stores), delivery)
      assert.equal(await take(stores), undefined)
    },
    'need their purpose and digest, and expire': async stores => {
      await put(stores)
      const other = (purpose: 'open' | 'log-in', digest: string) =>
        stores.runTransaction(({ held }) => held.take(purpose, digest, now))
      assert.equal(await other('log-in', 'digest'), undefined)
      assert.equal(await other('open', 'other'), undefined)
      assert.equal(await take(stores, later(60)), undefined)
    },
    'stay if the transaction that takes them rolls back': async stores => {
      await put(stores)
      await rollBack(stores, ({ held }) => held.take('open', 'digest', now))
      assertSame(await take(stores), delivery)
    },
    'are not there if the transaction that puts them rolls back': async stores => {
      await rollBack(stores, ({ held }) => held.hold('open', hold, delivery))
      assert.equal(await take(stores), undefined)
    },
  }
}

function accountLinkCases(): ContractCases {
  const link = (stores: ContractStores, accountId: string, employeeId = 'e') =>
    stores.runTransaction(({ accounts }) => accounts.link({ ...employee, employeeId }, accountId))
  const find = (stores: ContractStores, key = employee) =>
    stores.runTransaction(({ accounts }) => accounts.find(key))
  const accountIdOf = (account: Awaited<ReturnType<typeof link>>) =>
    typeof account === 'object' ? account.id : account
  return {
    'tie an employee to the first account, with its name': async stores => {
      assert.equal(await find(stores), undefined)
      assert.equal(accountIdOf(await link(stores, first)), first)
      assert.equal(accountIdOf(await link(stores, second)), first)
      assertSame(await find(stores), { id: first, displayName: `Name of ${first}` })
    },
    'another partner, organization or employee id is another employee': async stores => {
      await link(stores, first)
      for (const member of ['partnerId', 'organizationId', 'employeeId'])
        assert.equal(await find(stores, { ...employee, [member]: 'q' }), undefined)
    },
    'are not made to an account that does not exist': async stores => {
      assert.equal(await link(stores, 'none'), undefined)
      assert.equal(await find(stores), undefined)
    },
    'are ended by their account only, once': async stores => {
      await link(stores, first)
      await link(stores, first, 'e2')
      const linkId = await employeeDigestOf(employee)
      const unlink = (accountId: string) =>
        stores.runTransaction(({ accounts }) => accounts.unlink(linkId, accountId))
      assert.equal(await unlink(second), undefined)
      assertSame(await unlink(first), employee)
      assert.equal(await unlink(first), undefined)
      assert.equal(await find(stores), undefined)
      assert.equal((await find(stores, { ...employee, employeeId: 'e2' }))?.id, first)
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
    stores.runTransaction(({ audit }) => audit.record(one))
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

/** One case of the contract. */
export interface StoreContractCase {
  readonly name: string
  /** @throws {AssertionError} if the stores behave in another way */
  run(start: () => Promise<ContractStores>): Promise<void>
}

const contract: Readonly<Record<string, ContractCases>> = {
  'replay guard': replayGuardCases(),
  'held deliveries': heldDeliveryCases(),
  'account links': accountLinkCases(),
  'contact book': contactBookCases,
  'audit log': auditLogCases(),
}

/**
 * The contract that any store of a receiver must pass, as cases for any test runner. `start` makes empty stores for one case.
 *
 * @example
 * ```ts
 * import { storeContract } from '@service-link/jwt-payload/receiver/testing'
 *
 * for (const { name, run } of storeContract) test(name, () => run(startStores))
 * ```
 */
export const storeContract: readonly StoreContractCase[] = Object.entries(contract).flatMap(
  ([store, cases]) =>
    Object.entries(cases).map(([name, check]) => ({
      name: `${store}: ${name}`,
      async run(start) {
        await using stores = await start()
        await check(stores)
      },
    })),
)

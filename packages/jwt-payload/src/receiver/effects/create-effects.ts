import { assertParameter } from '@service-link/protocol-core'
import { sessionContextOf } from '../framing.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { Applied, DeliveryEffects, HeldForLogIn, MakeHold } from '../ports/effects.ts'
import type { EffectPorts, RunInTransaction } from '../ports/transaction.ts'
import { ReceiverOptionError } from '../receiver-errors.ts'
import { type AuditFacts, accountEntry, employeeEntry } from './audit-entry.ts'

/**
 * Puts the effects of a payload together out of ports that share a transaction.
 *
 * @param run runs work in one transaction
 * @returns effects that reject with what a port or `run` throws; `complete` also with a {@link ReceiverOptionError} when there
 * is no account of its `accountId`
 * @example
 * ```ts
 * import { createEffects } from '@service-link/jwt-payload/receiver'
 *
 * const effects = createEffects(work => db.transaction().execute(trx => work(portsOver(trx))))
 * ```
 */
export function createEffects(run: RunInTransaction): DeliveryEffects {
  assertParameter('run', run, 'function')
  return {
    accept: ({ delivery, replay, logIn, now, request }) => {
      let former: Applied | HeldForLogIn | undefined
      return run(
        async ports => {
          const taken = await ports.replay.consume(replay)
          if (taken === 'used') return { kind: 'replayed' }
          // The attempt that took the key took effect, whose session must not be made twice.
          if (taken === 'taken' || !former)
            former = await applyOrHold(ports, { delivery, logIn, request, event: 'post', at: now })
          return former
        },
        { isRepeatable: true },
      )
    },
    defer: ({ delivery, replay, open, now }) =>
      run(
        async ports => {
          const taken = await ports.replay.consume(replay)
          if (taken !== 'taken') return { kind: taken === 'again' ? 'deferred' : 'replayed' }
          await ports.held.hold('open', open, delivery)
          const facts: AuditFacts = { requestId: delivery.requestId, at: now, event: 'post', outcome: 'link' }
          await ports.audit.record(await employeeEntry(facts, delivery.employee))
          return { kind: 'deferred' }
        },
        { isRepeatable: true },
      ),
    // Not repeatable: a delivery that was taken out is not there the second time.
    resume: ({ handleDigest, isActive, logIn, now, request }) =>
      run(
        async ports => {
          const delivery = await ports.held.take('open', handleDigest, now)
          if (!delivery || !(await isActive(delivery.partner.id))) return { kind: 'gone' }
          return applyOrHold(ports, { delivery, logIn, request, event: 'open', at: now })
        },
        { isRepeatable: false },
      ),
    complete: ({ handleDigest, isActive, accountId, now }) =>
      run(
        async ports => {
          const delivery = await ports.held.take('log-in', handleDigest, now)
          if (!delivery || !(await isActive(delivery.partner.id))) return { kind: 'gone' }
          const account = await ports.accounts.link(delivery.employee, accountId)
          if (!account) throw new ReceiverOptionError('There is no account of the id that was given.')
          const record = async <Outcome extends AuditFacts['outcome']>(outcome: Outcome) => {
            const facts: AuditFacts = { requestId: delivery.requestId, at: now, event: 'log-in', outcome }
            await ports.audit.record(await employeeEntry(facts, delivery.employee, accountId))
            return outcome
          }
          if (account === 'other-organization') return { kind: await record('organization-bound') }
          if (account.id !== accountId) return { kind: await record('linked-elsewhere') }
          await record('linked')
          return {
            kind: 'applied',
            delivery,
            account,
            contact: await putContact(ports, delivery, account.id),
          }
        },
        { isRepeatable: false },
      ),
    links: accountId => run(({ accounts }) => accounts.list(accountId), { isRepeatable: true }),
    unlink: ({ linkId, accountId, requestId, now }) =>
      run(
        async ports => {
          const link = await ports.accounts.unlink(linkId, accountId)
          if (!link) return { kind: 'gone' }
          const facts: AuditFacts = { requestId, at: now, event: 'unlink', outcome: 'unlinked' }
          await ports.audit.record(await employeeEntry(facts, link.employee, accountId))
          await ports.sessions?.endLinked(link.linkId)
          return { kind: 'unlinked', link, hasEndedSessions: ports.sessions !== undefined }
        },
        { isRepeatable: false },
      ),
  }
}

/** One delivery that has come through, by its post or by its one-time URL. */
interface Arrival {
  readonly delivery: Delivery
  readonly logIn: MakeHold
  readonly request: Request
  readonly event: 'post' | 'open'
  readonly at: Date
}

async function applyOrHold(
  ports: EffectPorts,
  { delivery, logIn, request, event, at }: Arrival,
): Promise<Applied | HeldForLogIn> {
  const { employee } = delivery
  const account = await ports.accounts.find(employee)
  const facts: AuditFacts = {
    requestId: delivery.requestId,
    at,
    event,
    outcome: account ? 'signed-in' : 'log-in',
  }
  if (!account) {
    await ports.held.hold('log-in', await logIn(), delivery)
    await ports.audit.record(await employeeEntry(facts, employee))
    return { kind: 'log-in', delivery }
  }
  const contact = await putContact(ports, delivery, account.id)
  const session = await ports.sessions?.create(account, request, await sessionContextOf(delivery, request))
  await ports.audit.record(accountEntry(facts, employee, account.id))
  return { kind: 'applied', delivery, account, contact, ...(session && { session }) }
}

function putContact(ports: EffectPorts, { employee, person, payload }: Delivery, accountId: string) {
  const { partnerId, organizationId } = employee
  return ports.contacts.put({ partnerId, organizationId }, person, {
    accountId,
    organizationName: payload.organizationName,
  })
}

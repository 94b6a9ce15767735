import type { Delivery, Hold } from './ports/delivery.ts'
import type { Applied, DeliveryEffects, HeldForLogIn } from './ports/effects.ts'
import type { EffectPorts, RunInTransaction } from './ports/transaction.ts'
import { ReceiverOptionError } from './receiver-errors.ts'

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
  return {
    accept: ({ delivery, replay, logIn, request }) =>
      run(async ports =>
        (await ports.replay.consume(replay.key, replay.expiresAt))
          ? applyOrHold(ports, delivery, logIn, request)
          : { kind: 'replayed' },
      ),
    defer: ({ delivery, replay, open }) =>
      run(async ports => {
        if (!(await ports.replay.consume(replay.key, replay.expiresAt))) return { kind: 'replayed' }
        await ports.held.hold('open', open, delivery)
        return { kind: 'deferred' }
      }),
    resume: ({ handleDigest, logIn, now, request }) =>
      run(async ports => {
        const delivery = await ports.held.take('open', handleDigest, now)
        return delivery ? applyOrHold(ports, delivery, logIn, request) : { kind: 'gone' }
      }),
    complete: ({ handleDigest, accountId, now }) =>
      run(async ports => {
        const delivery = await ports.held.take('log-in', handleDigest, now)
        if (!delivery) return { kind: 'gone' }
        const account = await ports.accounts.link(delivery.employee, accountId)
        if (!account) throw new ReceiverOptionError('There is no account of the id that was given.')
        if (account.id !== accountId) return { kind: 'linked-elsewhere' }
        return { kind: 'applied', delivery, account, contact: await putContact(ports, delivery, account.id) }
      }),
  }
}

async function applyOrHold(
  ports: EffectPorts,
  delivery: Delivery,
  logIn: Hold,
  request: Request,
): Promise<Applied | HeldForLogIn> {
  const account = await ports.accounts.find(delivery.employee)
  if (!account) {
    await ports.held.hold('log-in', logIn, delivery)
    return { kind: 'log-in', delivery }
  }
  const contact = await putContact(ports, delivery, account.id)
  const session = await ports.sessions?.create(account, request)
  return { kind: 'applied', delivery, account, contact, ...(session && { session }) }
}

function putContact(ports: EffectPorts, { employee, person, payload }: Delivery, accountId: string) {
  const { partnerId, organizationId } = employee
  return ports.contacts.put({ partnerId, organizationId }, person, {
    accountId,
    organizationName: payload.organizationName,
  })
}

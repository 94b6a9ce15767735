import type { Account } from '../ports/accounts.ts'
import type { Delivery } from '../ports/delivery.ts'
import type { Applied, HeldForLogIn } from '../ports/effects.ts'
import type { PageOutcome } from '../ports/page.ts'
import type { DeliveryPartner, ShownPartner } from '../ports/partners.ts'

/** The outcome of a known employee's payload. */
export function signedInOutcome(
  applied: Applied,
  before: Account | undefined,
  isFramed: boolean,
): PageOutcome {
  const { delivery, account, contact } = applied
  return {
    kind: 'signed-in',
    requestId: delivery.requestId,
    partner: shownPartner(delivery.partner),
    isFramed,
    account,
    contact,
    ...(before && before.id !== account.id ? { replacedAccount: before } : {}),
  }
}

/** The outcome of a payload that waits for its employee's log-in. */
export function logInOutcome(
  { delivery }: HeldForLogIn,
  handle: string,
  expiresAt: Date,
  isFramed: boolean,
  { headers }: Request,
): PageOutcome {
  // A browser states it with every form that it posts; `null` says that the page hides it.
  const origin = headers.get('origin') ?? 'null'
  return {
    kind: 'log-in',
    requestId: delivery.requestId,
    partner: shownPartner(delivery.partner),
    isFramed,
    employee: employeeFacts(delivery),
    ...(origin === 'null' ? {} : { sentFrom: origin }),
    handle,
    expiresAtMs: expiresAt.getTime(),
  }
}

function shownPartner({ id, name, appearance }: DeliveryPartner): ShownPartner {
  return { id, name, appearance }
}

function employeeFacts({
  employee,
  payload,
}: Delivery): Extract<PageOutcome, { kind: 'log-in' }>['employee'] {
  const { organizationName, employeeUsername, employeeFirstname, employeeLastname, employeeEmail } = payload
  return {
    id: employee.employeeId,
    organizationId: employee.organizationId,
    ...(organizationName === undefined ? {} : { organizationName }),
    ...(employeeUsername === undefined ? {} : { username: employeeUsername }),
    ...(employeeFirstname === undefined ? {} : { firstname: employeeFirstname }),
    ...(employeeLastname === undefined ? {} : { lastname: employeeLastname }),
    ...(employeeEmail === undefined ? {} : { email: employeeEmail }),
  }
}

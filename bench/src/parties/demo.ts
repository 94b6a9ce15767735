// The whole demo but its wrapper, with an employee who is linked. Its first message: each page with as many addresses as visits are measured, since a key opens a page once, and where payloads are posted. It answers a message with a payload.
const { employees, patients, startDemo } = await import(import.meta.resolve('@service-link/demo'))
const { Visitor } = await import(import.meta.resolve('@service-link/service/testing'))

const ports = { servicePort: 0, partnerPort: 0, eIdPort: 0, homePort: 0 }
const { home, partner, facts, employee, ...demo } = await startDemo(
  { ...ports, wrapper: 'none' },
  () => undefined,
)
const sign = (): Promise<string> =>
  partner.signVisit({ patientId: patients[0].id, employeeId: employees[0].employeeId })

const visitor = new Visitor()
const body = new URLSearchParams({ payload: await sign() })
const visit: Response = await visitor.go(facts.payloadUrl, { method: 'POST', body })
const [, boot = ''] = /id="service-link-boot">([^<]*)</.exec(await visit.text()) ?? []
const send = (path: string, value: object): Promise<Response> => {
  const headers = { origin: facts.service, 'content-type': 'application/json' }
  return visitor.go(facts.service + path, { method: 'POST', headers, body: JSON.stringify(value) })
}
const { email, password } = employee
await send('/api/auth/sign-in/email', { email, password })
const { ok } = await send('/api/partner-visits', { handle: JSON.parse(boot).handle, confirmed: true })
if (!ok) throw new Error('The employee was not linked.')

const { cookies } = visitor
/** A page by the part of it that a user works with. */
const page = (name: string, address: () => string, usable: string, cookie = '') => ({
  name,
  addresses: Array.from({ length: 6 }, address),
  usable,
  cookie,
})

const pages = [
  page('landing page', () => home.openUrl(), '[data-testid=step-link] button'),
  page('console', () => home.openUrl('console'), 'button[type=submit]'),
  page('journal', () => partner.openUrl('/'), '[data-testid^=open-]'),
  page('launcher', () => partner.openUrl('/launcher'), '[data-testid=post]'),
  page('test e-ID', () => facts.eId, 'a'),
  page('log-in of the test e-ID', () => `${facts.my}/log-in`, 'button'),
  page('log-in of employees', () => facts.service, '[name=email]'),
  page('log-in of patients', () => facts.my, '[data-testid=my-log-in]'),
  page('patients', () => `${facts.service}/persons`, '[data-testid=person-search]', cookies),
]
process.send?.(JSON.stringify({ pages, payloadUrl: facts.payloadUrl }))
process.on('message', async () => process.send?.(await sign()))
process.once('disconnect', () => void demo[Symbol.asyncDispose]())

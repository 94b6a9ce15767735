// The whole demo but its wrapper, with an employee who is linked. Its first message: the address of each page, and where payloads are posted. It answers a message with a payload.
const { employees, patients, readVisit, startDemo, visitService } = await import(
  import.meta.resolve('@service-link/demo')
)

const ports = { servicePort: 0, partnerPort: 0, eIdPort: 0, homePort: 0 }
const { home, partner, facts, ...demo } = await startDemo({ ...ports, wrapper: 'none' }, () => undefined)
const sign = (): Promise<string> =>
  partner.signVisit({ patientId: patients[0].id, employeeId: employees[0].employeeId })

const { visitor, api, logIn } = visitService(facts.service, facts.logIns[0])
const body = new URLSearchParams({ payload: await sign() })
const { handle } = await readVisit(await visitor.go(facts.payloadUrl, { method: 'POST', body }))
await logIn()
const { ok } = await api['partner-visits'].$post({ json: { handle, confirmed: true } })
if (!ok) throw new Error('The employee was not linked.')

const pages = {
  'landing page': home.origin,
  console: `${home.origin}/console`,
  journal: partner.url,
  launcher: `${partner.url}/launcher`,
  'employees’ web app': facts.service,
  'patients’ web app': facts.my,
  'log-in of the test e-ID': `${facts.my}/log-in`,
}
process.send?.(JSON.stringify({ pages, payloadUrl: facts.payloadUrl }))
process.on('message', async () => process.send?.(await sign()))
process.once('disconnect', () => void demo[Symbol.asyncDispose]())

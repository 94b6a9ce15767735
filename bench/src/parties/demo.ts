// The whole demo but its wrapper. Its first message: the address of each of its pages.
// It comes from sources, because the demo is no package to depend on.
const { startDemo } = await import(new URL('../../../apps/demo/src/demo/show-demo.ts', import.meta.url).href)
const ports = { servicePort: 0, partnerPort: 0, eIdPort: 0, homePort: 0 }
const { home, partner, facts, ...demo } = await startDemo({ ...ports, wrapper: 'none' }, () => undefined)
const pages = {
  'landing page': home.origin,
  console: `${home.origin}/console`,
  journal: partner.url,
  launcher: `${partner.url}/launcher`,
  'employees’ web app': facts.service,
  'patients’ web app': facts.my,
  'log-in of the test e-ID': `${facts.my}/log-in`,
}
process.send?.(JSON.stringify(pages))
process.once('disconnect', () => void demo[Symbol.asyncDispose]())

import type { PayloadClaims } from '@service-link/protocol-core'
import {
  type ApiClient,
  accounts,
  logInAs,
  newPage,
  post,
  readBoot,
  sign,
  testAccounts,
  visit,
} from '@service-link/service/test-kit'
import type { Page } from 'playwright-core'
import { startConsole } from './console.ts'
import { aase, nora, per, type RunningMy, startMy } from './my.ts'
import { startPartner } from './partner.ts'

/** A screen of the demo. */
export interface Screen {
  readonly name: string
  /** Who looks at it. Each language's pages of an employee and of a patient are shared by their screens. */
  readonly as: 'nobody' | 'employee' | 'patient'
  /** Opens the screen, and waits until it is complete. */
  readonly open: (page: Page, stage: Stage) => Promise<unknown>
}

/** A name of 60 letters without a space. */
const longName = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewiss'.slice(0, 60)

const longAccount = {
  email: 'a.very.long.address.of.an.employee@fjordklinikken.example',
  password: 'fjord-klinikk-2026',
  name: `Ingrid ${longName}`,
  organization: `Fjordklinikken ${longName}`,
}

/** A first visit; everything that the partner sends is long. */
const firstVisit: PayloadClaims = {
  ...visit,
  // Another text than the names: an audit row may hold it, but no name.
  organizationId: Array.from(longName).reverse().join(''),
  organizationName: longAccount.organization,
  employeeId: longName,
  employeeLastname: longName,
}

/** Servers with patients and given workouts, for all screens. */
export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage() {
  await using resources = new AsyncDisposableStack()
  const my = resources.use(
    await startMy({
      persons: [{ ...aase, name: `Åse ${longName}` }, nora, per],
      service: { showsDemoAccounts: true, demoAccounts: [...testAccounts, longAccount] },
    }),
  )
  const partner = await startPartner(my.running)
  resources.defer(() => partner.close())
  const console = resources.use(await startConsole())
  const employee = await logInAs(my.running.service, longAccount)
  const longPersonId = await addPerson(employee, {
    customId: longName,
    firstname: 'Åse',
    lastname: longName,
    dateOfBirth: '1979-05-12',
    ssn: aase.ssn,
    email: `${longName}@example.com`,
    diagnosis: 'L15',
    profileData: [
      { key: 'weight', value: '70', unit: 'kg', date: '2026-01-01', source: 'Nordlys Journal' },
      { key: 'weight', value: '71,5', unit: 'kg', date: '2026-02-01', source: longName },
      { key: 'pain', value: 6, date: longName, device: { maker: longName, serial: 7 } },
      { key: longName, value: longName, unit: longName, description: `${longName}; ${longName}` },
    ],
  })
  const shortPersonId = await addPerson(employee, { customId: 'p-2', firstname: 'Ola', lastname: 'Li' })
  const { workouts } = (await employee.ask('POST', '/api/workouts/search', {})).body
  if (!Array.isArray(workouts)) throw new TypeError('The service gave no workouts.')
  await employee.ask('POST', `/api/workouts/${workouts[0].id}/give`, {
    personId: longPersonId,
    key: crypto.randomUUID(),
  })
  await linkIngrid(my)
  const pages = new Map<string, Promise<Page>>()
  const owned = resources.move()
  return {
    serviceUrl: my.running.service.url,
    eIdUrl: my.eId.url,
    partner,
    console,
    running: my.running,
    longPersonId,
    shortPersonId,
    workoutId: Number(workouts[0].id),
    /** The page for a screen; nobody's pages are new. */
    async pageFor({ as }: Screen, locale: string): Promise<Page> {
      if (as === 'nobody') return openPage(locale)
      const key = `${as} ${locale}`
      const page = pages.get(key) ?? logIn(as, locale, my)
      pages.set(key, page)
      return page
    },
    async [Symbol.asyncDispose]() {
      for (const page of pages.values()) await (await page).context().close()
      await owned.disposeAsync()
    },
  }
}

async function addPerson(employee: ApiClient, person: object): Promise<number> {
  const { body } = await employee.ask('POST', '/api/persons/select', person)
  return Number(Object(body.person).userId)
}

/** Links the employee of {@link visit} to Ingrid's account. Their first contact has another date of birth. */
async function linkIngrid({ running }: RunningMy): Promise<void> {
  const contact = { ...visit.contact, birthdate: '1997-05-12' }
  const { handle } = await readBoot(await post(running, await sign(running, { ...visit, contact })))
  const ingrid = await logInAs(running.service, accounts.ingrid)
  await ingrid.ask('POST', '/api/partner-visits', { handle, confirmed: true })
}

/** A page that does not move: boxes in a transition would be measured on their way. */
async function openPage(locale: string): Promise<Page> {
  const { page } = await newPage({ locale })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  return page
}

async function logIn(as: 'employee' | 'patient', locale: string, my: RunningMy): Promise<Page> {
  const page = await openPage(locale)
  const { url } = my.running.service
  if (as === 'employee') await signIn(page, url, longAccount)
  else {
    await page.goto(`${url}/my/log-in`)
    await page.locator('input[type="radio"]').first().check()
    await page.locator('button[value="log-in"]').click()
    await page.getByTestId('my-workout').waitFor()
  }
  return page
}

async function signIn(page: Page, url: string, { email, password }: typeof longAccount): Promise<void> {
  const answer = await page.request.post(`${url}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: url },
  })
  if (!answer.ok()) throw new Error(`The log-in was answered with ${answer.status()}.`)
}

/** Posts a payload as a partner's page does. */
async function postFrom(page: Page, { running, serviceUrl }: Stage, payload: PayloadClaims | string) {
  const token = typeof payload === 'string' ? payload : await sign(running, payload)
  await page.goto(`${serviceUrl}/health/live`)
  await page.evaluate(value => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = '/partner/payload'
    const field = document.createElement('input')
    field.name = 'payload'
    field.value = value
    form.append(field)
    document.body.append(form)
    form.submit()
  }, token)
}

type Address = string | ((stage: Stage) => string)

/** Opens an address, clicks on each part but the last in turn, and waits for that. */
const go =
  (address: Address, ...parts: readonly string[]) =>
  async (page: Page, stage: Stage): Promise<void> => {
    const place = typeof address === 'string' ? address : address(stage)
    await page.goto(new URL(place, stage.serviceUrl).href)
    await follow(page, parts)
  }

/** `@name` is a test id. */
async function follow(page: Page, parts: readonly string[]): Promise<void> {
  const found = parts.map(part => page.locator(part.replace(/^@([\w-]+)/, '[data-testid="$1"]')).first())
  for (const part of found.slice(0, -1)) await part.click()
  await found.at(-1)?.waitFor({ state: 'attached' })
}

const asIngrid =
  (...parts: readonly string[]) =>
  async (page: Page, stage: Stage): Promise<void> => {
    await signIn(page, stage.serviceUrl, accounts.ingrid)
    await go('/', ...parts)(page, stage)
  }

const afterPost =
  (payload: PayloadClaims | string, part: string) =>
  async (page: Page, stage: Stage): Promise<void> => {
    await postFrom(page, stage, payload)
    await follow(page, [part])
  }

const longPerson = ({ longPersonId }: Stage) => `/persons/${longPersonId}`

export const screens: readonly Screen[] = [
  { name: 'log-in', as: 'nobody', open: go('/', '@demo-accounts') },
  { name: 'log-in for a first visit', as: 'nobody', open: afterPost(firstVisit, '@pending-visit') },
  {
    name: 'confirmation of a link',
    as: 'nobody',
    async open(page, stage) {
      await afterPost(firstVisit, '@pending-visit')(page, stage)
      await page.locator('[name="email"]').fill(longAccount.email)
      await page.locator('[name="password"]').fill(longAccount.password)
      await follow(page, ['@login-submit', '@confirm-link'])
    },
  },
  { name: 'choice of a person', as: 'nobody', open: afterPost(visit, '@person-candidate') },
  { name: 'notice of a new link', as: 'nobody', open: asIngrid('@new-link') },
  { name: 'linked applications', as: 'nobody', open: asIngrid('@linked-applications', '@partner-link') },
  {
    name: 'refusal of a payload',
    as: 'nobody',
    open: afterPost('not-a-token', 'text=ERR_PAYLOAD_MALFORMED'),
  },
  { name: 'patients, nobody in focus', as: 'employee', open: go('/persons', '@person-results') },
  {
    name: 'patient',
    as: 'employee',
    open: go(({ shortPersonId }) => `/persons/${shortPersonId}`, '@person-detail'),
  },
  { name: 'patient in focus', as: 'employee', open: go(longPerson, '@put-in-focus', '@person-in-focus') },
  {
    name: 'editing a patient',
    as: 'employee',
    open: go(longPerson, '@edit-person', '@person-form'),
  },
  {
    name: 'patient, all unfolded',
    as: 'employee',
    async open(page, stage) {
      await go(longPerson, '@person-workouts')(page, stage)
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll('details')) fold.open = true
      })
    },
  },
  { name: 'exercises', as: 'employee', open: go('/exercises', '@exercise-results') },
  { name: 'exercise', as: 'employee', open: go('/exercises', '@exercise-result a', '@exercise-detail') },
  {
    name: 'workout',
    as: 'employee',
    open: go(({ workoutId }) => `/workouts/${workoutId}`, '@workout-detail'),
  },
  { name: 'address without a page', as: 'employee', open: go('/nowhere', 'main h1') },
  { name: 'log-in of patients', as: 'nobody', open: go('/my', '@my-log-in') },
  { name: 'electronic ID', as: 'nobody', open: go('/my/log-in', 'input[type="radio"]') },
  { name: 'electronic ID by itself', as: 'nobody', open: go(({ eIdUrl }) => eIdUrl, 'ul') },
  {
    name: 'refused log-in of a patient',
    as: 'nobody',
    open: go('/my/log-in', 'button[value="cancel"]', 'text=ERR_EID_CANCELLED'),
  },
  { name: 'my workouts', as: 'patient', open: go('/my', '@my-workout') },
  { name: 'my workout', as: 'patient', open: go('/my', '@my-workout a', '@my-workout-detail') },
  {
    name: 'landing page',
    as: 'nobody',
    open: go(({ console }) => console.landingUrl, '@step-my'),
  },
  {
    name: 'journal',
    as: 'nobody',
    open: go(({ partner }) => partner.openUrl(), '@employee'),
  },
  {
    name: 'launcher',
    as: 'nobody',
    async open(page, stage) {
      await go(({ partner }) => partner.openUrl('/launcher'), '@token')(page, stage)
      for (const summary of await page.locator('summary').all()) await summary.click()
      await follow(page, ['@call', '@answer'])
    },
  },
  {
    name: 'console',
    as: 'nobody',
    async open(page, stage) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await go(({ console }) => console.url, 'button[type="submit"]', '@sent')(page, stage)
      await follow(page, ['.console-row'])
    },
  },
]

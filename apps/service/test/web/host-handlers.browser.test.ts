import { hasBrowser } from '@service-link/test-kit/browser'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { workouts } from '../../src/server/workouts/library.ts'
import { accounts } from '../support/accounts.ts'
import { hostPage, logInOn, newPage } from '../support/browser.ts'
import { type RunningService, startService } from '../support/service.ts'

const selectedSchema = z.object({ status: z.string(), userId: z.number(), customId: z.string() })
const workoutsSchema = z.array(z.object({ id: z.number(), name: z.string(), exerciseCount: z.number() }))

describe.skipIf(!hasBrowser())('commands of a wrapper', () => {
  let running: RunningService
  let page: Page
  let host: Awaited<ReturnType<typeof hostPage>>
  let complaints: string[]

  beforeAll(async () => {
    running = await startService()
    const opened = await newPage()
    page = opened.page
    complaints = opened.complaints
    host = await hostPage(page)
    await page.goto(running.service.url)
    await page.getByTestId('login-form').waitFor()
  })
  afterAll(async () => {
    await page.context().close()
    await running[Symbol.asyncDispose]()
  })

  let kariId: number
  const kari = { customId: 'k-1', firstname: 'Kari', lastname: 'Ødegård', dateOfBirth: '1980-04-03' }
  const select = async (person: object) => {
    const answer = await host.call('selectPerson', person)
    if (answer.type !== 'result') throw new Error(`${answer.code}: ${answer.message}`)
    return selectedSchema.parse(answer.value)
  }

  const untilSaid = (type: string) => expect.poll(() => host.said(), { timeout: 50_000 }).toContain(type)

  test('are refused as not signed in before the log-in, which is announced', async () => {
    expect(await host.call('selectPerson', kari)).toMatchObject({
      type: 'failure',
      code: 'ERR_NOT_SIGNED_IN',
    })
    expect(await host.call('queryExercises', { text: 'squat' })).toMatchObject({ code: 'ERR_NOT_SIGNED_IN' })
    expect(await host.said()).toEqual(['hello'])
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('signed-in-as').waitFor()
    await untilSaid('signedIn')
  })

  test('[4.3-select-or-create] selectPerson answers when the person is on the screen', async () => {
    expect(await select(kari)).toMatchObject({ status: 'created', customId: 'k-1' })
    // Read without waiting, because the answer follows the effect.
    const focus = page.getByTestId('person-in-focus')
    expect(await focus.count()).toBe(1)
    expect(await focus.getAttribute('data-custom-id')).toBe('k-1')
    expect(await page.getByTestId('person-detail').count()).toBe(1)
    expect(await select(kari)).toMatchObject({ status: 'selected' })
    await untilSaid('personSelected')
  })

  test('[2.3-profile-data] profile data are shown', async () => {
    await select({
      ...kari,
      profileData: [{ key: 'bmi', name: 'Body mass index', value: '23.4', customkey: 'own' }],
    })
    await page.getByTestId('profile-data').getByText('More').click()
    expect(await page.getByTestId('profile-data').textContent()).toMatch(
      /Body mass index23\.4Without a dateMorecustomkeyown/,
    )
  })

  test('a change of the person in focus is announced', async () => {
    await select({ customId: 'k-2', firstname: 'Ola', lastname: 'Li' })
    const notice = page.locator('[data-testid="notice"][data-subject="focus"]')
    await notice.waitFor()
    expect(await notice.textContent()).toMatch(/You are working with Ola Li now.*Kari Ødegård/)
  })

  test('a call that is given up ends at once, and puts nobody in focus later', async () => {
    const held = Promise.withResolvers<Route>()
    await page.route(/\/persons\/select$/, route => held.resolve(route), { times: 1 })
    const late = host.call('selectPerson', { customId: 'k-2', firstname: 'Ola', lastname: 'Li' }, 1)
    const route = await held.promise
    await host.cancel(1)
    expect(await late).toMatchObject({ type: 'failure' })
    expect(await select(kari)).toMatchObject({ customId: 'k-1' })
    await route.continue().catch(() => undefined)
    await host.call('queryExercises', { text: 'squat' })
    expect(await page.getByTestId('person-in-focus').getAttribute('data-custom-id')).toBe('k-1')
  })

  test('[4.3-queryexercises] queryExercises answers when the results are on the screen', async () => {
    expect(await host.call('queryExercises', { text: 'squat' })).toMatchObject({ type: 'result' })
    expect(await page.getByTestId('exercise-search').inputValue()).toBe('squat')
    expect(await page.getByTestId('exercise-result').count()).toBeGreaterThan(5)
    expect(await host.call('queryExercises', { text: 'rowing & “pull”' })).toMatchObject({ type: 'result' })
    expect(await page.getByTestId('exercise-search').inputValue()).toBe('rowing & “pull”')
  })

  test('a command’s query replaces the user’s typing in the search box', async () => {
    await page.getByTestId('exercise-search').fill('some other words')
    expect(await host.call('queryExercises', { text: 'lunge' })).toMatchObject({ type: 'result' })
    expect(await page.getByTestId('exercise-search').inputValue()).toBe('lunge')
    expect(await page.getByTestId('exercise-results').textContent()).toMatch(/lunge/i)
  })

  test('[4.3-queryworkouts] queryWorkouts answers when the results are on the screen', async () => {
    expect(await host.call('queryWorkouts', { text: 'knee' })).toMatchObject({ type: 'result' })
    expect(await page.getByTestId('workout-search').inputValue()).toBe('knee')
    expect(await page.getByTestId('workout-results').textContent()).toMatch(/knee/i)
  })

  test('[4.5-openworkout] [4.5-getworkoutsforclient] a given workout is listed and opened', async () => {
    const { userId } = await select(kari)
    kariId = userId
    await page.getByRole('link', { name: 'Workouts', exact: true }).click()
    await page.getByTestId('workout-result').first().click()
    await page.getByTestId('give-workout').click()
    await page.getByText('Given to').first().waitFor()
    const listed = await host.call('getWorkoutsForClient', { customId: 'k-1' })
    const [workout] = workoutsSchema.parse(listed.type === 'result' ? listed.value : undefined)
    expect(JSON.stringify(listed)).not.toContain('doneDays')
    expect(await host.call('getWorkoutsForClient', { userId, from: '2000-01-01' })).toEqual(listed)
    await host.call('queryExercises', { text: 'bridge' })
    expect(await host.call('openWorkout', { id: workout?.id })).toMatchObject({ type: 'result' })
    expect(await page.getByTestId('workout-detail').getAttribute('data-workout-id')).toBe(String(workout?.id))
  })

  test('an unknown workout is refused, and the page stays', async () => {
    const before = page.url()
    expect(await host.call('openWorkout', { id: 999_999 })).toMatchObject({ code: 'ERR_NOT_FOUND' })
    expect(page.url()).toBe(before)
  })

  test('[4.5-getlistofusers] [4.5-setcustomid] the CustomId of the person in focus changes on the screen', async () => {
    const { userId } = await select({ customId: 'k-3', firstname: 'Third', lastname: 'One' })
    await host.call('queryExercises', { text: 'squat' })
    const change = { userId, customId: 'k-3-new' }
    expect(await host.callThenRead('setCustomId', change, 'person-in-focus', 'data-custom-id')).toBe(
      'k-3-new',
    )
    expect(await host.call('getListOfUsers', { customId: 'k-3-new' })).toMatchObject({
      value: [{ id: userId, customId: 'k-3-new', firstname: 'Third' }],
    })
    expect(await host.call('setCustomId', { userId: 999_999, customId: 'x' })).toMatchObject({
      code: 'ERR_NOT_FOUND',
    })
  })

  test('[2.3-custom-id] the user chooses among several persons with one CustomId', async () => {
    const { userId } = await select({ customId: 'k-4', firstname: 'Fourth', lastname: 'One' })
    await host.call('setCustomId', { userId, customId: 'k-1' })
    expect(await host.call('selectPerson', kari)).toMatchObject({ type: 'failure', code: 'ERR_ARGS' })
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    expect(await page.locator('[data-testid="notice"][data-subject="focus"]').count()).toBe(0)
    await page.getByTestId('choose-person').first().focus()
    expect(await host.call('selectPerson', { ...kari, lastname: 'Other' })).toMatchObject({
      code: 'ERR_ARGS',
    })
    // A key that was meant for the first question answers nothing.
    await page.locator('[data-testid="person-chooser"] .icon-button:focus').waitFor()
    const fourth = page.getByTestId('person-candidate').filter({ hasText: 'Fourth' })
    await fourth.getByTestId('choose-person').click()
    await page.getByTestId('person-in-focus').waitFor()
    expect(await page.getByTestId('person-in-focus').textContent()).toBe('Fourth One')
    expect(await host.call('selectPerson', kari)).toMatchObject({ type: 'failure', code: 'ERR_ARGS' })
    await page.getByTestId('another-person').click()
    await page.locator('[data-testid="person-search"]:focus').waitFor({ timeout: 5000 })
    expect(await select({ ...kari, userId: userId })).toMatchObject({ userId })
    expect(await host.call('getWorkoutsForClient', { customId: 'k-1' })).toMatchObject({ code: 'ERR_ARGS' })
    expect(await page.getByTestId('person-in-focus').textContent()).toBe('Fourth One')
  })

  test('parameters of a launch open a page and choose the language; unknown ones are ignored', async () => {
    const language = () => page.locator('html').getAttribute('lang')
    const given = { tab: 'Workouts', culture: 'nn-NO', caseid: '17' }
    expect(await host.call('launchParameters', given)).toMatchObject({ type: 'result' })
    await page.getByTestId('workout-results').waitFor()
    await page.getByRole('link', { name: 'Treningsprogrammer', exact: true }).waitFor()
    expect(await language()).toBe('nb')
    await host.call('queryExercises', { text: 'knebøy til stol' })
    const exercise = page.getByTestId('exercise-result').first()
    expect(await exercise.textContent()).toContain('Knebøy til stol')
    await exercise.locator('svg path').first().waitFor({ state: 'attached' })
    // A program gets the names that it knows.
    const listed = await host.call('getWorkoutsForClient', { userId: kariId })
    const [workout] = workoutsSchema.parse(listed.type === 'result' ? listed.value : undefined)
    expect(workouts.map(({ name }) => name)).toContain(workout?.name)
    await host.call('queryWorkouts', { text: '' })
    expect(await host.call('launchParameters', { tab: 'toString', culture: 'en-GB' })).toMatchObject({
      type: 'result',
    })
    await page.getByRole('link', { name: 'Workouts', exact: true }).waitFor()
    expect([await language(), new URL(page.url()).pathname]).toEqual(['en', '/workouts'])
    await expect.poll(() => page.title()).toBe('Workouts – Service')
  })

  test('parameters of the wrapper’s start open their page once, in every document their language', async () => {
    await page.reload()
    await page.getByTestId('signed-in-as').waitFor()
    await host.welcome({ tab: 'exercises', culture: 'nb-NO' })
    await page.getByTestId('exercise-results').waitFor()
    await page.getByRole('link', { name: 'Pasienter', exact: true }).click()
    await page.reload()
    await page.getByTestId('signed-in-as').waitFor()
    await host.welcome({ tab: 'exercises', culture: 'nb-NO' })
    await page.getByRole('link', { name: 'Pasienter', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/persons')
    await host.call('launchParameters', { culture: 'en' })
  })

  const nina = { customId: 'k-9', firstname: 'Nina', lastname: 'Strøm' }
  const typeMobile = async (text: string) => {
    await page.getByTestId('edit-person').click()
    await page.locator('[name="mobile"]').fill(text)
  }

  test('clearPerson answers when nothing names the person; what is not saved is kept', async () => {
    await select(nina)
    await typeMobile('typed')
    expect(await host.call('clearPerson', { customId: 'k-2' })).toMatchObject({ type: 'result' })
    expect(await page.getByTestId('person-in-focus').count()).toBe(1)
    expect(await host.call('clearPerson', { customId: 'k-9' })).toMatchObject({ type: 'result' })
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    expect(await page.content()).not.toMatch(/Nina|Strøm|k-9/)
    await untilSaid('personCleared')
    await select(nina)
    expect(await page.locator('[name="mobile"]').inputValue()).toBe('typed')
  })

  test('a sign-out by a program hands over what is not saved, and the same user gets it back', async () => {
    const answer = await host.call('signOut', { reason: 'journal' })
    const { unsaved } = z
      .object({ unsaved: z.object({ user: z.string(), value: z.unknown() }) })
      .parse(answer.type === 'result' ? answer.value : undefined)
    await page.getByTestId('login-form').waitFor()
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('typed')
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('signed-in-as').waitFor()
    expect(await host.call('restoreUnsaved', { value: unsaved.value })).toMatchObject({ type: 'result' })
    await select(nina)
    expect(await page.locator('[name="mobile"]').inputValue()).toBe('typed')
    await page.locator('[name="mobile"]').fill('')
  })

  test('what is not saved is handed over also if the service does not end the session', async () => {
    await select(nina)
    await page.locator('[name="mobile"]').fill('typed')
    const handOver = async () => JSON.stringify(await host.call('signOut', { reason: 'journal' }))
    await page.route('**/api/auth/sign-out', route => route.abort())
    expect(await handOver()).toContain('typed')
    const held = Promise.withResolvers<Route>()
    await page.route('**/api/auth/sign-out', held.resolve)
    expect(await handOver()).toContain('typed')
    await (await held.promise).continue()
    await page.unrouteAll()
    await page.getByTestId('login-form').waitFor()
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('signed-in-as').waitFor()
  })

  test('signing out is announced, and clears the focus', async () => {
    await page.getByTestId('sign-out').click()
    await page.getByTestId('login-form').waitFor()
    await untilSaid('signedOut')
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('signed-in-as').waitFor()
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  const persons = { getListOfUsers: {}, selectPerson: kari, setCustomId: { userId: 1, customId: 'x' } }
  const pages = { queryExercises: { text: 'squat' }, queryWorkouts: { text: 'knee' }, openWorkout: { id: 1 } }
  const commands = Object.entries({ ...persons, ...pages, getWorkoutsForClient: { customId: 'k-1' } })
  const handle = 'h'.repeat(43)
  const employee = { id: 'e', organizationId: 'o' }
  const waiting = { kind: 'log-in', partner: { id: 'p', name: 'Journal' }, employee, handle }

  test.each([
    ['waits for its log-in', { ...waiting, expiresAtMs: Date.parse('9999-12-31T00:00:00Z') }],
    ['waited too long', { ...waiting, expiresAtMs: 0 }],
    ['was left without a log-in', { kind: 'left' }],
  ])('in a tab whose visit %s, commands do not act as the former user', async (_state, kept) => {
    await page.evaluate(
      `sessionStorage.setItem('service-pending-visit', ${JSON.stringify(JSON.stringify(kept))})`,
    )
    await page.reload()
    await page.getByTestId('login-form').waitFor()
    const answers = await Promise.all(
      commands.map(async ([handler, args]) => ({ handler, ...(await host.call(handler, args)) })),
    )
    expect(answers).toMatchObject(
      commands.map(([handler]) => ({ handler, type: 'failure', code: 'ERR_NOT_SIGNED_IN' })),
    )
    expect(await page.evaluate(`JSON.stringify({ ...localStorage, ...sessionStorage })`)).not.toContain(
      'personId',
    )
    await page.evaluate(`sessionStorage.removeItem('service-pending-visit')`)
    await page.reload()
    await page.getByTestId('signed-in-as').waitFor()
  })
})

import { axeProblems, hasBrowser } from '@service-link/service/test-kit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBoxProblems, findSmallTargets } from './support/boxes.ts'
import { openStage, type Stage, screens } from './support/screens.ts'

/** Sizes of the page; the last one is 1,280 × 800 at a zoom of 200 %. */
const sizes = [
  [320, 640],
  [360, 720],
  [390, 844],
  [560, 800],
  [768, 1024],
  [1024, 768],
  [1280, 800],
  [1600, 960],
  [640, 400],
] as const

/** Each language is drawn in one scheme: only words differ between languages, and only colors between schemes. */
const schemes = { 'en-US': 'light', 'nb-NO': 'dark' } as const

const cases = screens.flatMap(screen => (['en-US', 'nb-NO'] as const).map(locale => ({ ...screen, locale })))

describe.skipIf(!hasBrowser())('screens at every width, in both schemes and languages', () => {
  let stage: Stage

  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  test.each(cases)('$name ($locale)', async ({ locale, ...screen }) => {
    const page = await stage.pageFor(screen, locale)
    await screen.open(page, stage)
    const problems = [...(await boxProblemsOf(page)), ...(await ruleProblemsOf(page, schemes[locale]))]
    if (screen.as === 'nobody') await page.context().close()
    expect(problems).toEqual([])
  })
})

async function boxProblemsOf(page: Page): Promise<string[]> {
  const widthsOf = new Map<string, number[]>()
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await nextFrame(page)
    const found = [...(await page.evaluate(findBoxProblems)), ...(await page.evaluate(findSmallTargets))]
    for (const problem of found) widthsOf.set(problem, [...(widthsOf.get(problem) ?? []), width])
  }
  return Array.from(widthsOf, ([problem, widths]) => `${problem} (at ${widths.join(', ')} px)`)
}

/** Breaches of the rules of accessibility, in the light scheme on a wide page, in the dark one on a narrow page. */
async function ruleProblemsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const width = colorScheme === 'dark' ? 390 : 1280
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme })
  await nextFrame(page)
  await page.evaluate(endOfTransitions)
  const found = await axeProblems(page)
  return found.map(problem => `${colorScheme}, ${width} px, ${problem}`)
}

/** Waits until the page has drawn itself at its size, observers included. */
const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))))

/** Some parts change their color slowly even where a user wants no motion; a color on its way has too little contrast. */
const endOfTransitions = () =>
  Promise.allSettled(
    document
      .getAnimations()
      .filter(animation => animation instanceof CSSTransition)
      .map(({ finished }) => finished),
  )

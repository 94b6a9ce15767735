import { hasBrowser } from '@service-link/test-kit/browser'
import { describe, expect, test } from 'vitest'
import { expectInFocus, firstPage, goToPostPage, linkEmployees, press } from '../support/partner-page.ts'
import { visit } from '../support/post.ts'
import { openSites } from '../support/site.ts'

describe.skipIf(!hasBrowser())('a person whose data differ from the journal’s', () => {
  test('[2.1] comes into focus only with the user’s consent, which may be refused', async () => {
    await using sites = await openSites()
    await linkEmployees(sites)
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const open = async (payload: typeof visit) => {
      await goToPostPage(sites, page, { payload, target: '_self' })
      await press(page)
    }
    const contact = { id: 'h-1', firstname: 'Åse', lastname: 'Øvergård', birthdate: '1997-05-12' }
    await open({ ...visit, contact: { ...contact, birthdate: '1979-05-12' } })
    await expectInFocus(page, 'h-1')

    await open({ ...visit, contact })
    const candidate = page.getByTestId('person-candidate')
    await candidate.waitFor()
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    expect(await page.getByTestId('person-chooser').textContent()).toMatch(
      /another name, date of birth or identity number.*12 May 1979.*correct the identifier in the journal/,
    )
    await page.getByRole('button', { name: 'Choose nobody' }).click()
    await candidate.waitFor({ state: 'detached' })
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)

    await open({ ...visit, contact })
    await candidate.click()
    await expectInFocus(page, 'h-1')
    expect(visitor.complaints).toEqual([])
  })
})

import { existsSync } from 'node:fs'
import { buildArguments } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { eventually } from '@service-link/test-kit/waits'
import { buildXmlInput } from '@service-link/xml-input'
import type { Drawn, WrapperStage } from './browser-wrapper.ts'
import { expectEqual, expectMatch } from './story.ts'
import { wrapperPersons } from './wrapper-stage.ts'

const { providers } = defaultBrand
const { ola, bo } = wrapperPersons
const xml = `provider=${providers.legacyXml}`

/** Shows what later starts of the executable do. */
export async function tellLaunches(stage: WrapperStage): Promise<void> {
  const { story, shown, launch, launched, put } = stage
  await story.step(
    '[1-single-instance] a second start with queryexercises=squat hands over and exits 0',
    async () => {
      await launched(...buildArguments({ provider: providers.arguments, queryExercises: 'squat' }))
      await shown.waitForSearch('squat')
    },
  )
  await story.step('[4.4-delete] an XML file selects its person and is deleted', async () => {
    const file = await put('input.xml', buildXmlInput({ person: ola }))
    await launched('input.xml', xml)
    await shown.waitForPerson(ola.customId)
    await eventually('The end of the file', () => !existsSync(file))
  })
  await story.step('[4.4-delete] one with delete="false" selects its person and stays', async () => {
    const file = await put('kept.xml', buildXmlInput({ person: bo, deleteAfterRead: false }))
    await launched('kept.xml', xml, 'wait=true')
    await shown.waitForPerson(bo.customId)
    expectEqual('the file is there', existsSync(file), true)
  })
  await story.step('a broken one stays, the exit code is 2 and the message says where', async () => {
    const file = await put('broken.xml', '<serviceinput>\n\n  <firstname>Kari</firstnam>\n</serviceinput>\n')
    const { exitCode, errors } = await launch('broken.xml', xml)
    expectEqual('exit code', exitCode, 2)
    expectMatch('message', errors, /line 3/)
    expectEqual('the file is there', existsSync(file), true)
    expectEqual('person in focus', await shown.personInFocus(), bo.customId)
  })
  await story.step(
    '[4.2-provider] an integrator’s own provider reads its journal’s file and address',
    async () => {
      const provider = 'provider=Acme.Journal.Component, Acme.Journal'
      await put('visit.jrn', 'PatientNo=wrapper-1004\nGivenName=Siri\nFamilyName=Fjeld\nBorn=1990-07-08\n')
      await launched(provider, 'visit.jrn', 'wait=true')
      await shown.waitForPerson('wrapper-1004')
      await launched(provider, 'acme://exercises?text=knee', 'wait=true')
      await shown.waitForSearch('knee')
    },
  )
}

/** Shows what the service knows of the wrapper. */
export async function tellSetup({ story }: WrapperStage, { watched }: Drawn): Promise<void> {
  await story.step('the service is told the wrapper’s version and who distributes it', async () => {
    const page = await watched.page()
    const hostedBy = await page.getByTestId('hosted-by').textContent()
    expectEqual('shown in the web app', hostedBy?.replaceAll(/\s+/g, ' '), 'Service demo 3.0.0.0')
    const agent = await page.evaluate(() => navigator.userAgent)
    expectMatch('user agent', agent, / Service\.Client\.WebWrapper\/3\.0\.0\.0 \(Service demo\)$/)
  })
}

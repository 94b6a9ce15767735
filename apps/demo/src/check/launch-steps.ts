import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildArguments } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { eventually } from '@service-link/test-kit/waits'
import { buildXmlInput } from '@service-link/xml-input'
import * as z from 'zod'
import { runProgram } from '../demo/run-program.ts'
import type { WrapperStage } from './browser-wrapper.ts'
import { expectEqual, expectMatch } from './story.ts'
import { wrapperPersons } from './wrapper-stage.ts'

const { providers, configFile } = defaultBrand
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
    'a launch that lacks a required argument is refused by name, with exit code 2',
    async () => {
      const { exitCode, errors } = await launch(`provider=${providers.arguments}`, 'id=x', 'firstname=A')
      expectEqual('exit code', exitCode, 2)
      expectMatch('message', errors, /lastname is missing.*dateofbirth is missing/)
    },
  )
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

/** Shows the notice of a newer version above the web app, and follows it where an opener can be watched. */
export async function tellUpdate({ story, shown, drawn, updates }: WrapperStage): Promise<void> {
  await story.step('a newer version is offered above the web app', () =>
    shown.waitForNotice('A newer version of Service is available: 3.1.0.0.'),
  )
  if (!drawn?.openedFile) return
  const { watched, openedFile } = drawn
  await story.step('following it opens the installer’s address in the user’s own browser', async () => {
    await watched.clickButton('Download')
    await eventually('The opened address', async () => {
      const opened = await readFile(openedFile, 'utf8').catch(() => '')
      return opened === `${updates.installerUrl}\n`
    })
    await eventually('The end', async () => !(await watched.allText()).includes('A newer version'))
  })
}

const reportSchema = z.object({
  settings: z.array(z.looseObject({ name: z.string(), value: z.unknown(), origin: z.string() })),
})
const findingsSchema = z.array(z.looseObject({ check: z.string(), status: z.string(), sentence: z.string() }))

/** Shows `settings` and `doctor`, and what the service knows of the wrapper. */
export async function tellSetup(stage: WrapperStage): Promise<void> {
  const { story, launch, launchFolder, environment, servers, pid, drawn } = stage
  await story.step('[2.2-defaults] settings says every value and where it is from', async () => {
    const { output } = await launch('settings', '--json')
    const { settings } = reportSchema.parse(JSON.parse(output))
    const told = settings.flatMap(({ name, value, origin }) =>
      /^(?:AppUrl|MinimizeOnExit)$/.test(name) ? [[name, value, origin]] : [],
    )
    expectEqual('settings', told, [
      ['MinimizeOnExit', true, 'default'],
      ['AppUrl', servers.service.url, 'application file'],
    ])
  })
  // The wrapper's search for a browser knows more places than the path.
  const but = drawn ? '' : ' but a browser, which may be missing'
  await story.step(`doctor finds nothing wrong${but}, and sees the wrapper that runs`, async () => {
    const { output } = await launch('doctor', '--json')
    const findings = findingsSchema.parse(JSON.parse(output))
    const wrong = findings.filter(
      ({ check, status }) => status === 'problem' && (drawn || check !== 'engine'),
    )
    expectEqual('problems', wrong, [])
    const wrapper = findings.find(({ check }) => check === 'wrapper')
    expectMatch('wrapper', wrapper?.sentence ?? '', new RegExp(`process ${pid},`))
  })
  await story.step('with a broken configuration, doctor names what is wrong, with exit code 1', async () => {
    const root = join(launchFolder, 'broken-root')
    await mkdir(root)
    await writeFile(join(root, configFile), '<configuration>\n  <applicationSettings>\n')
    const broken = { ...environment, SERVICE_WRAPPER_ROOT: root }
    const { exitCode, output } = await runProgram('wrapper', ['doctor'], { environment: broken })
    expectEqual('exit code', exitCode, 1)
    expectMatch('findings', output, /^problem .*\.exe\.config, line \d+, column \d+/m)
  })
  if (drawn)
    await story.step('the service is told the wrapper’s version and who distributes it', async () => {
      const page = await drawn.watched.page()
      const hostedBy = await page.getByTestId('hosted-by').textContent()
      expectEqual('shown in the web app', hostedBy?.replaceAll(/\s+/g, ' '), 'Service demo 3.0.0.0')
      const agent = await page.evaluate(() => navigator.userAgent)
      expectMatch('user agent', agent, / Service\.Client\.WebWrapper\/3\.0\.0\.0 \(Service demo\)$/)
    })
}

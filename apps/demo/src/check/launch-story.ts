import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buildArguments } from '@service-link/cli-args'
import { defaultBrand, settingsTable } from '@service-link/protocol-core'
import { buildXmlInput } from '@service-link/xml-input'
import * as z from 'zod'
import { runProgram } from '../demo/run-program.ts'
import { eventually, expectEqual, expectMatch } from './story.ts'
import { type LaunchStage, type RunningStage, wrapperPersons } from './wrapper-stage.ts'

const { providers } = defaultBrand
const { ola, bo } = wrapperPersons

export async function tellLaunchStory({
  story,
  shown,
  launch,
  launched,
  launchFolder,
}: LaunchStage): Promise<void> {
  await story.step(
    '[1-single-instance] a second start with queryexercises=squat hands over and exits 0',
    async () => {
      const args = buildArguments({ provider: providers.arguments, queryExercises: 'squat' })
      await launched(...args)
      await shown.waitForSearch('squat')
    },
  )

  await story.step('[4.4-delete] an XML file selects its person and is deleted', async () => {
    const file = join(launchFolder, 'input.xml')
    await writeFile(file, buildXmlInput({ person: ola }))
    await launched('input.xml', `provider=${providers.legacyXml}`)
    await shown.waitForPerson(ola.customId)
    await eventually('The end of the file', () => !existsSync(file))
  })

  await story.step('[4.4-delete] one with delete="false" selects its person and stays', async () => {
    const file = join(launchFolder, 'kept.xml')
    await writeFile(file, buildXmlInput({ person: bo, deleteAfterRead: false }))
    await launched('kept.xml', `provider=${providers.legacyXml}`, 'wait=true')
    await shown.waitForPerson(bo.customId)
    expectEqual('the file is there', existsSync(file), true)
    await rm(file)
  })

  await story.step('a broken one stays, the exit code is 2 and the message says where', async () => {
    const file = join(launchFolder, 'broken.xml')
    await writeFile(
      file,
      '<?xml version="1.0" encoding="utf-8"?>\n<serviceinput>\n  <firstname>Kari</firstnam>\n</serviceinput>\n',
    )
    const { exitCode, errors } = await launch('broken.xml', `provider=${providers.legacyXml}`)
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
      const file = join(launchFolder, 'visit.jrn')
      await writeFile(file, 'PatientNo=wrapper-1004\nGivenName=Siri\nFamilyName=Fjeld\nBorn=1990-07-08\n')
      await launched(provider, 'visit.jrn', 'wait=true')
      await shown.waitForPerson('wrapper-1004')
      expectEqual('the file is there', existsSync(file), false)
      await launched(provider, 'acme://exercises?text=knee', 'wait=true')
      await shown.waitForSearch('knee')
      const refused = await launch(provider, 'acme://patients?text=knee')
      expectEqual('exit code of another address', refused.exitCode, 2)
    },
  )
}

/** Shows the notice of a newer version above the web app, and follows it. */
export async function tellUpdateStory({ story, page, updates, openedFile }: RunningStage): Promise<void> {
  await story.step('a newer version is offered above the web app', async () => {
    await eventually('The notice', async () =>
      (await page.allText()).includes('A newer version of Service is available: 3.1.0.0.'),
    )
  })

  const isGone = async () => !(await page.allText()).includes('A newer version')
  if (openedFile === undefined) {
    await story.step('the offer is put away', async () => {
      await page.clickButton('Dismiss')
      await eventually('The end of the notice', isGone)
    })
    return
  }
  await story.step('following it opens the installer’s address in the user’s own browser', async () => {
    await page.clickButton('Download')
    const opened = await eventually('What was opened', async () => {
      const text = await readFile(openedFile, 'utf8').catch(() => '')
      return text.endsWith('\n') ? text.trim() : undefined
    })
    expectEqual('opened', opened, updates.installerUrl)
    await eventually('The end of the notice', isGone)
  })
}

const reportSchema = z.object({
  settings: z.array(z.looseObject({ name: z.string(), value: z.unknown(), origin: z.string() })),
})
const findingsSchema = z.array(
  z.looseObject({
    check: z.string(),
    status: z.enum(['ok', 'warning', 'problem', 'skipped']),
    sentence: z.string(),
  }),
)
const sessionsSchema = z.array(z.object({ userAgent: z.string() }))

/** Shows `settings` and `doctor`. */
export async function tellSetupStory(stage: LaunchStage): Promise<void> {
  const { story, launch, launchFolder, environment, servers, pid, page } = stage
  await story.step('[2.2-defaults] settings says every value and where it is from', async () => {
    const { exitCode, output } = await launch('settings', '--json')
    expectEqual('exit code', exitCode, 0)
    const { settings } = reportSchema.parse(JSON.parse(output))
    const names = settings.map(({ name }) => name).sort()
    expectEqual('settings', names, Object.keys(settingsTable(defaultBrand)).sort())
    const told = (name: string) => {
      const { value, origin } = settings.find(setting => setting.name === name) ?? {}
      return [value, origin]
    }
    expectEqual('AppUrl', told('AppUrl'), [servers.service.url, 'application file'])
    expectEqual('DistributorName', told('DistributorName'), ['Service demo', 'application file'])
    expectEqual('MinimizeOnExit', told('MinimizeOnExit'), [true, 'default'])
    const { output: text } = await launch('settings')
    for (const name of names) expectMatch('what people read', text, new RegExp(`^${name} `, 'm'))
  })

  const found = page ? 'finds nothing wrong' : 'misses a browser only'
  await story.step(`doctor ${found}, and sees the wrapper that runs`, async () => {
    const { exitCode, output } = await launch('doctor', '--json')
    const findings = findingsSchema.parse(JSON.parse(output))
    const problems = findings.filter(({ status }) => status === 'problem').map(({ check }) => check)
    expectEqual('problems', problems, page ? [] : ['engine'])
    expectEqual('exit code', exitCode, page ? 0 : 1)
    const wrapper = findings.find(({ check }) => check === 'wrapper')
    expectMatch('wrapper', wrapper?.sentence ?? '', new RegExp(`process ${pid},`))
  })

  await story.step('with a broken configuration, doctor names what is wrong, with exit code 1', async () => {
    const root = join(launchFolder, 'broken-root')
    await mkdir(root)
    await writeFile(join(root, defaultBrand.configFile), '<configuration>\n  <applicationSettings>\n')
    const broken = { ...environment, SERVICE_WRAPPER_ROOT: root }
    const { exitCode, output } = await runProgram('wrapper', ['doctor'], { environment: broken })
    expectEqual('exit code', exitCode, 1)
    expectMatch(
      'findings',
      output,
      /^problem .*Service\.Client\.WebWrapper\.exe\.config, line \d+, column \d+/m,
    )
  })
}

/** Shows the wrapper's version in the service. */
export async function tellVersionStory({ story, page, databaseFile }: RunningStage): Promise<void> {
  await story.step('the service is told the wrapper’s version and who distributes it', async () => {
    const agent = 'Service.Client.WebWrapper/3.0.0.0 (Service demo)'
    using database = new DatabaseSync(databaseFile, { readOnly: true })
    const sessions = sessionsSchema.parse(
      database.prepare('select userAgent from auth_sessions where userAgent is not null').all(),
    )
    const isKnown = sessions.some(({ userAgent }) => userAgent.endsWith(` ${agent}`))
    expectEqual('a session of the wrapper', isKnown, true)
    expectEqual('shown in the web app', await page.text('hosted-by'), 'Service demo 3.0.0.0')
    await eventually('The user agent of the page', async () =>
      String(await page.read('navigator.userAgent')).endsWith(agent),
    )
  })
}

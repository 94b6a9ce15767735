import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { defaultBrand, settingsTable } from '@service-link/protocol-core'
import { z } from 'zod'
import { runProgram } from '../demo/run-program.ts'
import { eventually, expectEqual, expectMatch } from './story.ts'
import type { RunningStage } from './wrapper-stage.ts'

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

/** What an administrator asks the executable, and what the service is told of the wrapper. */
export async function tellSetupStory({
  story,
  page,
  launch,
  launchFolder,
  environment,
  servers,
  databaseFile,
  pid,
}: RunningStage): Promise<void> {
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

  await story.step('doctor finds nothing wrong, and sees the wrapper that runs', async () => {
    const { exitCode, output } = await launch('doctor', '--json')
    const findings = findingsSchema.parse(JSON.parse(output))
    const problems = findings.filter(({ status }) => status === 'problem')
    expectEqual('problems', problems, [])
    expectEqual('exit code', exitCode, 0)
    const wrapper = findings.find(({ check }) => check === 'wrapper')
    expectMatch('wrapper', wrapper?.sentence ?? '', new RegExp(`^A wrapper runs .*process ${pid},`))
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
      String(await page.read('navigator.userAgent')).endsWith(agent) ? true : undefined,
    )
  })
}

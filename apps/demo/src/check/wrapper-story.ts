import type { ChildProcess } from 'node:child_process'
import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildArguments } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { buildXmlInput } from '@service-link/xml-input'
import { endProgram, runProgram, startProgram } from '../demo/run-program.ts'
import type { Employee } from './account.ts'
import type { Desktop } from './desktop.ts'
import { eventually, expectEqual, expectMatch } from './expect.ts'
import { observablePort } from './observable-browser.ts'
import { PageObserver } from './page-observer.ts'
import { tellPipeStory } from './pipe-story.ts'
import type { Story } from './story.ts'

/** What the story is told with. */
export interface WrapperStoryOptions {
  readonly story: Story
  /** Environment that leads to the wrapper's folders, its browser and the screen. */
  readonly environment: NodeJS.ProcessEnv
  /** An empty folder for the XML files. */
  readonly folder: string
  /** Profile of the wrapper's browser. */
  readonly profileFolder: string
  readonly desktop: Desktop | undefined
  readonly employee: Employee
  /** Name of a window of another application on the same screen. */
  readonly otherWindow: string
}

const { providers } = defaultBrand
const kari = { customId: 'wrapper-1001', firstname: 'Kari', lastname: 'Ødegård', dateOfBirth: '1984-02-29' }
const ola = { customId: 'wrapper-1002', firstname: 'Ola', lastname: 'Nordmann', dateOfBirth: '1971-11-05' }
const bo = {
  customId: 'wrapper-1003',
  firstname: 'Bo "B" <i>',
  lastname: 'O’Hara & Sønn',
  dateOfBirth: '2001-01-31',
}

/** Command line, XML file and pipe, on one wrapper that runs from the first step to the last. */
export async function tellWrapperStory(options: WrapperStoryOptions): Promise<void> {
  const { story, environment, folder, employee } = options
  const run = (args: readonly string[]) =>
    runProgram('wrapper', args, { environment, workingDirectory: folder })

  await using resources = new AsyncDisposableStack()
  const { wrapper, page } = await story.step(
    'the wrapper starts with person arguments and opens its window',
    async () => {
      const args = buildArguments({ provider: providers.arguments, person: kari })
      const child = startProgram('wrapper', args, { environment, workingDirectory: folder })
      resources.defer(() => endProgram(child))
      const said: string[] = []
      child.stderr.on('data', chunk => said.push(String(chunk)))
      const ended = new Promise<never>((_, reject) => {
        child.once('exit', code => reject(new Error(`The wrapper ended with ${code}: ${said.join('')}`)))
      })
      ended.catch(() => undefined)
      const observer = await Promise.race([openPage(options.profileFolder), ended])
      resources.use(observer)
      return { wrapper: child, page: observer }
    },
  )

  await story.step('the web app in the window asks for a log-in', async () => {
    await page.type('[data-testid="login-form"] input[name="email"]', employee.email)
    await page.type('[data-testid="login-form"] input[name="password"]', employee.password)
    await page.pressEnter()
    await eventually('A signed-in employee', () => page.text('signed-in-as'))
  })

  await story.step('[4.3-select-or-create] the person of the launch is created and in focus', async () => {
    await page.waitForAttribute('person-in-focus', 'data-custom-id', kari.customId)
    expectMatch('name in focus', (await page.text('person-in-focus')) ?? '', /Kari.*Ødegård/)
  })

  await story.step(
    '[1-single-instance] a second start with queryexercises=squat hands over and exits 0',
    async () => {
      const args = buildArguments({ provider: providers.arguments, queryExercises: 'squat' })
      const { exitCode, errors } = await run(args)
      expectEqual(`exit code (${errors.trim()})`, exitCode, 0)
      const results = await eventually('Results for squat', async () => {
        const text = await page.text('exercise-results')
        return text && /squat/i.test(text) ? text : undefined
      })
      expectEqual(
        'search box',
        await page.read(`document.querySelector('[data-testid="exercise-search"]')?.value`),
        'squat',
      )
      expectMatch('results', results, /squat/i)
    },
  )

  await story.step('[4.4-delete] an XML file selects its person and is deleted', async () => {
    const file = join(folder, 'input.xml')
    await writeFile(file, buildXmlInput({ person: ola }))
    const { exitCode, errors } = await run(['input.xml', `provider=${providers.legacyXml}`])
    expectEqual(`exit code (${errors.trim()})`, exitCode, 0)
    await page.waitForAttribute('person-in-focus', 'data-custom-id', ola.customId)
    await eventually('The end of the file', async () => ((await isThere(file)) ? undefined : true))
  })

  await story.step('[4.4-delete] one with delete="false" selects its person and stays', async () => {
    const file = join(folder, 'kept.xml')
    await writeFile(file, buildXmlInput({ person: bo, deleteAfterRead: false }))
    const { exitCode, errors } = await run(['kept.xml', `provider=${providers.legacyXml}`, 'wait=true'])
    expectEqual(`exit code (${errors.trim()})`, exitCode, 0)
    await page.waitForAttribute('person-in-focus', 'data-custom-id', bo.customId)
    expectEqual('the file is there', await isThere(file), true)
    await rm(file)
  })

  await story.step('a broken one stays, the exit code is 2 and the message says where', async () => {
    const file = join(folder, 'broken.xml')
    await writeFile(
      file,
      '<?xml version="1.0" encoding="utf-8"?>\n<serviceinput>\n  <firstname>Kari</firstnam>\n</serviceinput>\n',
    )
    const { exitCode, errors } = await run(['broken.xml', `provider=${providers.legacyXml}`])
    expectEqual('exit code', exitCode, 2)
    expectMatch('message', errors, /line 3/)
    expectEqual('the file is there', await isThere(file), true)
    expectEqual('person in focus', await page.attribute('person-in-focus', 'data-custom-id'), bo.customId)
  })

  await story.step(
    'a launch that lacks a required argument is refused by name, with exit code 2',
    async () => {
      const { exitCode, errors } = await run([`provider=${providers.arguments}`, 'id=x', 'firstname=A'])
      expectEqual('exit code', exitCode, 2)
      expectMatch('message', errors, /lastname is missing.*dateofbirth is missing/)
    },
  )

  await story.chapter('Named pipe', () => tellPipeStory({ ...options, page, pid: pidOf(wrapper), wrapper }))
}

async function openPage(profileFolder: string): Promise<PageObserver> {
  return PageObserver.connect(await observablePort(profileFolder))
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('The wrapper did not start.')
  return child.pid
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

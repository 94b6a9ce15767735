import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import xmlFiles from '@service-link/vectors/xml-files.json' with { type: 'json' }
import type { Scenario, ScenarioContext } from '../scenario.ts'
import { openChannel } from './ask.ts'
import { newPerson } from './classic-scenarios.ts'
import type { WrapperSubject } from './open-wrapper.ts'

type WrapperScenario = Scenario<WrapperSubject>

const providerOf = (name: 'arguments' | 'legacyXml') => `provider=${[defaultBrand.providers[name]].flat()[0]}`

/** Asks the session mode who is in focus. */
async function focusOf(wrapper: WrapperSubject, context: ScenarioContext) {
  using channel = await openChannel(wrapper, context)
  return (await channel.ask('status'))?.person?.customId
}

/** A person of the vectors as a file, under a number that nobody else has. */
function fileOf(vectorId: string, customid: string): string {
  const vector = xmlFiles.vectors.find(({ id }) => id === vectorId)
  const xml = vector && 'xml' in vector.input ? vector.input.xml : ''
  return xml.replace(/(?<=<source_customerno>)[^<]*/, customid)
}

const namesOfXml = ['4.4-firstname', '4.4-lastname', '4.4-born']

const xml = (id: string, vectorId: string, isDeleted: boolean, sentence: string): WrapperScenario => ({
  id,
  spec: '4.4',
  requirements: ['4.4-path', '4.4-root', '4.4-source_customerno', ...namesOfXml, '4.4-delete'],
  sentence,
  async run(wrapper, context) {
    await wrapper.running(context.signal)
    const { customid } = newPerson()
    const file = join(wrapper.userFolder, `${customid}.xml`)
    await writeFile(file, fileOf(vectorId, customid))
    const { exitCode } = await wrapper.launch(context.signal, file, providerOf('legacyXml'), 'wait=true')
    context.checks.equal('The exit code', exitCode, 0)
    context.checks.equal('The customid in focus', await focusOf(wrapper, context), customid)
    context.checks.equal('Whether the file is still there', existsSync(file), !isDeleted)
  },
})

/** A second start, which hands its arguments to the wrapper that runs. */
export const launchScenarios: readonly WrapperScenario[] = [
  {
    id: 'launch',
    spec: '4.3',
    requirements: [
      ...['1-single-instance', '4.2-provider', '4.3-provider', '4.3-grammar', '4.3-id', '4.3-firstname'],
      ...['4.3-lastname', '4.3-dateofbirth', '4.3-select-or-create'],
    ],
    sentence: 'Puts the person of a second start in focus.',
    async run(wrapper, context) {
      await wrapper.running(context.signal)
      const { customid, firstname, lastname } = newPerson()
      const person = [
        `id=${customid}`,
        `firstname=${firstname}`,
        `lastname=${lastname}`,
        'dateofbirth=1980-04-03',
      ]
      const end = await wrapper.launch(context.signal, providerOf('arguments'), ...person, 'wait=true')
      context.checks.equal('The exit code', end.exitCode, 0)
      context.checks.equal('The customid in focus', await focusOf(wrapper, context), customid)
    },
  },
  {
    id: 'launch-incomplete',
    spec: 'reference/person',
    requirements: ['4.3-dateofbirth'],
    sentence:
      'Refuses a person without a date of birth by exit code 2, names what is missing, and keeps the focus.',
    async run(wrapper, context) {
      await wrapper.running(context.signal)
      const before = await focusOf(wrapper, context)
      const person = ['id=incomplete', 'firstname=Kari', 'lastname=Nordmann']
      const end = await wrapper.launch(context.signal, providerOf('arguments'), ...person, 'wait=true')
      context.checks.equal('The exit code', end.exitCode, 2)
      context.checks.that(/dateofbirth/i.test(end.errors), 'Standard error does not name dateofbirth.')
      context.checks.equal('The customid in focus', await focusOf(wrapper, context), before)
    },
  },
  xml('launch-xml', 'xml-person', true, 'Puts the person of an XML file in focus, and deletes the file.'),
  xml('launch-xml-kept', 'xml-delete-false', false, 'Keeps an XML file that says so.'),
]

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createMemoryWebApp, startTestWrapper } from '../../../packages/wrapper-host/src/testing/index.ts'
import type { NativeAnswer, NativeQuestions } from './native-questions.ts'

// Runs in Node for Windows: a wrapper, and a native program that asks it what a file lists.
const [, , program = '', file = ''] = process.argv
const { world, batches }: NativeQuestions = JSON.parse(readFileSync(file, 'utf8'))

const wrapper = await startTestWrapper({ version: '3.1.4.1', webApp: createMemoryWebApp(world) })

function ask(command: string, args: object | undefined): Promise<Omit<NativeAnswer, 'calls' | 'state'>> {
  const argv = [String(wrapper.pid), command, ...(args ? [JSON.stringify(args)] : [])]
  return new Promise(resolve => {
    const options = { encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 26 } as const
    const child = execFile(program, argv, options, (_error, output, errors) =>
      resolve({ exitCode: child.exitCode, output, errors }),
    )
  })
}

const answers: NativeAnswer[][] = []
for (const batch of batches) {
  const before = wrapper.calls.length
  const ends = await Promise.all(batch.map(({ command, args }) => ask(command, args)))
  const calls = wrapper.calls.slice(before)
  answers.push(ends.map(end => ({ ...end, calls, state: wrapper.window.state })))
}
await wrapper.closed
process.stdout.write(JSON.stringify(answers))

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createMemoryWebApp,
  startTestWrapper,
  type TestWrapper,
} from '../../../packages/wrapper-host/src/testing/index.ts'
import type { NativeAnswer, NativeQuestion, NativeQuestions } from './native-questions.ts'

// Runs in Node for Windows: a wrapper and native programs, which ask it the questions of a file.
const [, , folder = ''] = process.argv
const { world, batches }: NativeQuestions = JSON.parse(readFileSync(join(folder, 'questions.json'), 'utf8'))

function programFor(question: NativeQuestion): [file: string, argv: string[]] {
  if ('bytes' in question) return ['send-bytes.exe', [question.bytes, ...(question.leaves ? ['leave'] : [])]]
  const { command, args } = question
  return ['service_pipe.exe', [command, ...(args ? [JSON.stringify(args)] : [])]]
}

function ask(wrapper: TestWrapper, question: NativeQuestion): Promise<Omit<NativeAnswer, 'calls' | 'state'>> {
  const [file, argv] = programFor(question)
  return new Promise(resolve => {
    const env = { ...process.env, SERVICE_WRAPPER_DATA: wrapper.folders.userFolder }
    const options = { encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 26, env } as const
    const child = execFile(
      join(folder, file),
      [String(wrapper.pid), ...argv],
      options,
      (_error, output, errors) => resolve({ exitCode: child.exitCode, output, errors }),
    )
  })
}

const wrapper = await startTestWrapper({ version: '3.1.4.1', webApp: createMemoryWebApp(world) })
const answers: NativeAnswer[][] = []
for (const batch of batches) {
  const before = wrapper.calls.length
  const ends = await Promise.all(batch.map(question => ask(wrapper, question)))
  const calls = wrapper.calls.slice(before)
  answers.push(ends.map(end => ({ ...end, calls, state: wrapper.window.state })))
}
await wrapper.closed
process.stdout.write(JSON.stringify(answers))

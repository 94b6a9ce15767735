import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { listWrapperRecords } from '@service-link/pipe-client/records'
import { connectProven } from '@service-link/pipe-client/running'
import { defaultBrand, pipeAddress, unixPipeFolder, type WrapperRecord } from '@service-link/protocol-core'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { killGroup, killMembers, ownGroup } from '../programs/program-group.ts'
import { codeOf, type ProgramEnd, runProgram } from '../programs/run-program.ts'
import { fillWords } from '../programs/split-words.ts'
import { tellErrors } from '../programs/tell-errors.ts'
import { temporaryFolder } from '../programs/temporary-folder.ts'
import { EndOfRun } from '../scenario.ts'
import { frameConnection, type WrapperConnection } from './connection.ts'

/** An executable whose web app is signed in, and takes persons. */
export interface WrapperTarget {
  /** Words of its command line. `{folder}` stands for a new folder. */
  readonly program: readonly string[]
  /** Words of the command line of a second start, before its arguments. Default: `program`. */
  readonly launch?: readonly string[] | undefined
}

/** A wrapper that runs. */
export interface RunningWrapper {
  readonly record: WrapperRecord
  /** Address of the pipe with the process id in its name. */
  readonly pipe: string
  /** Settles when its process has ended. */
  readonly exited: Promise<void>
}

/** The wrapper under test. */
export interface WrapperSubject extends AsyncDisposable {
  readonly userFolder: string
  /** Starts it unless it runs. */
  running(signal: AbortSignal): Promise<RunningWrapper>
  /** Starts it a second time, with these arguments. */
  launch(signal: AbortSignal, ...argv: readonly string[]): Promise<ProgramEnd>
  /** Connects to the address of the record, and lets the wrapper prove itself. */
  connect(signal: AbortSignal): Promise<WrapperConnection>
  /** Connects to the pipe as programs in the field do. */
  connectByName(signal: AbortSignal): Promise<WrapperConnection>
}

/** Longest wait for the record of a started wrapper, in milliseconds. */
const startTimeoutMs = 30_000

/** Longest wait for the end of a wrapper whose standard input has ended, in milliseconds. */
const endTimeoutMs = 5_000

/** What is kept of its standard error, in characters. */
const maxErrors = 8192

export async function openWrapper({ program, launch = program }: WrapperTarget): Promise<WrapperSubject> {
  const folder = await temporaryFolder()
  // `service-webwrapper test --folder` uses the same two names.
  const [userFolder, root] = ['user', 'root'].map(name => join(folder.path, name)) as [string, string]
  await Promise.all([userFolder, root].map(path => mkdir(path, { mode: 0o700 })))
  const words = fillWords(program, { folder: folder.path })
  const environment = { ...process.env, SERVICE_WRAPPER_DATA: userFolder, SERVICE_WRAPPER_ROOT: root }
  let child: ChildProcess | undefined
  let current: Promise<RunningWrapper> | undefined

  const start = async (signal: AbortSignal): Promise<RunningWrapper> => {
    const [command = '', ...args] = words
    const started = spawn(command, args, {
      ...ownGroup,
      env: environment,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    child = started
    let problem: string | undefined
    let errors = ''
    started.stderr?.setEncoding('utf8').on('data', text => {
      errors = (errors + text).slice(-maxErrors)
    })
    started.stdin?.on('error', () => undefined)
    const exited = new Promise<void>(resolve => {
      started.once('error', error => {
        problem = `The wrapper cannot be started: ${codeOf(error)}.`
        resolve()
      })
      started.once('exit', () => {
        killMembers(started)
        resolve()
      })
      started.once('close', code => {
        problem ??= `The wrapper has exited with code ${code}.${tellErrors({ errors })}`
      })
    })
    const deadline = new Deadline(startTimeoutMs, signal)
    while (!deadline.isOver) {
      const [record] = listWrapperRecords(userFolder)
      if (record) return { record, pipe: pipeOf(record.pid), exited }
      if (problem !== undefined) throw new EndOfRun(problem)
      await pause(50, signal)
    }
    throw new Error(`The wrapper published no record within ${startTimeoutMs} ms.${tellErrors({ errors })}`)
  }

  const subject: WrapperSubject = {
    userFolder,
    running(signal) {
      // A start that failed is not repeated for each scenario.
      if (!current || (child?.exitCode ?? null) !== null) current = start(signal)
      return current
    },
    launch: (signal, ...argv) =>
      runProgram([...fillWords(launch, { folder: folder.path }), ...argv], { signal, environment }),
    async connect(signal) {
      const { record } = await subject.running(signal)
      const outcome = await connectProven(record, { timeoutMs: endTimeoutMs, signal })
      if ('failure' in outcome)
        throw new Error(`The wrapper of the record did not prove itself: ${outcome.failure}.`)
      const connection = frameConnection(outcome.socket)
      outcome.readWith(bytes => void outcome.socket.emit('data', Buffer.from(bytes)))
      return connection
    },
    async connectByName(signal) {
      const { pipe } = await subject.running(signal)
      const socket = connect(pipe)
      await once(socket, 'connect', { signal }).catch(error => {
        socket.destroy()
        throw new Error(`The pipe with the process id in its name cannot be opened: ${codeOf(error)}.`)
      })
      return frameConnection(socket)
    },
    async [Symbol.asyncDispose]() {
      if (child && child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        const ended = once(child, 'exit')
        child.stdin?.end()
        const kill = setTimeout(killGroup, endTimeoutMs, child)
        await ended
        clearTimeout(kill)
      }
      if (child) killGroup(child)
      await folder[Symbol.asyncDispose]()
    },
  }
  return subject
}

const pipeOf = (pid: number) => pipeAddress(defaultBrand, pid, process.platform, unixPipeFolder(process.env))

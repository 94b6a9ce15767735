import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test, vi } from 'vitest'
import { createTray } from '../../src/tray/create-tray.ts'
import type { TrayIcon, TrayMenu } from '../../src/tray/tray.ts'

const menu = (isSignedIn = false): TrayMenu => ({
  tooltip: 'Wrapper',
  items: [
    { action: 'show', label: 'Show', isEnabled: true },
    { action: 'signOut', label: 'Sign out', isEnabled: isSignedIn },
    { action: 'close', label: 'Close', isEnabled: true },
  ],
})

/** A desktop for Linux. The wrapper cannot check the socket of an abstract address. */
const environment = { ...process.env, DISPLAY: ':0', DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=none' }

const patience = { timeout: 60_000 }

/**
 * A real program that speaks the icon's protocol by the test's script. `say(value)` writes a line, `heard(line)` gets each input
 * line, `note(value)` appends a line to the file of {@link notes}. The program ends with its input.
 */
const frame = (notes: string, script: string) => `#!${process.execPath}
const { appendFileSync } = require('node:fs')
const say = value => process.stdout.write(JSON.stringify(value) + '\\n')
const note = value => appendFileSync(${JSON.stringify(notes)}, JSON.stringify(value) + '\\n')
let heard = () => undefined
require('node:readline').createInterface({ input: process.stdin }).on('line', line => heard(JSON.parse(line)))
process.stdin.on('end', () => process.exit())
note(process.pid)
${script}
`

/** Writes a program for a test, removed at the end of the scope. */
async function trayProgram(script: string) {
  const folder = await temporaryFolder()
  const executable = join(folder.path, 'tray.cjs')
  const notes = join(folder.path, 'notes')
  await writeFile(executable, frame(notes, script), { mode: 0o755 })
  return { executable, notes, folder: folder.path, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

type Program = Awaited<ReturnType<typeof trayProgram>>

const trayOf = ({ executable, folder }: Program, readyTimeoutMs = 60_000) =>
  createTray({ executable, folder: join(folder, 'tray'), environment, readyTimeoutMs })

async function notesOf({ notes }: Program): Promise<unknown[]> {
  const text = await readFile(notes, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

async function isRunning(program: Program): Promise<boolean> {
  const [pid] = await notesOf(program)
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

function recorded(icon: TrayIcon): string[] {
  const events: string[] = []
  icon.on('chosen', ({ action }) => events.push(action))
  icon.on('lost', () => events.push('lost'))
  return events
}

// The programs are scripts, which Windows cannot run.
describe.skipIf(process.platform === 'win32')('the program of the icon', () => {
  test('gets the menu when ready, then the changes, and ends with the icon', async () => {
    await using program = await trayProgram('heard = note; setImmediate(say, { type: "ready" })')
    const icon = await trayOf(program).open(menu())
    icon.update(menu())
    icon.update(menu(true))
    await expect.poll(async () => (await notesOf(program)).length, patience).toBe(3)
    const [, first, second] = await notesOf(program)
    expect(first).toMatchObject({ tooltip: 'Wrapper', items: [{ title: 'Show' }, { enabled: false }, {}] })
    expect(second).toMatchObject({ type: 'update-item', seq_id: 1, item: { enabled: true } })
    expect(await isRunning(program)).toBe(true)
    await icon[Symbol.asyncDispose]()
    expect(await isRunning(program)).toBe(false)
  })

  test('reports choices; invalid, disabled and unknown ones are ignored', async () => {
    await using program = await trayProgram(`
      heard = () => {
        process.stdout.write('garbage\\n{"type":\\n\\n')
        for (const __id of [2, 7, -1, 1, 3]) say({ type: 'clicked', __id })
      }
      say({ type: 'ready' })`)
    await using icon = await trayOf(program).open(menu())
    const events = recorded(icon)
    await vi.waitFor(() => expect(events).toEqual(['show', 'close']), patience)
  })

  test('that ends is reported lost once, and ignores further changes', async () => {
    await using program = await trayProgram('heard = () => process.exit(3); say({ type: "ready" })')
    await using icon = await trayOf(program).open(menu())
    const events = recorded(icon)
    await vi.waitFor(() => expect(events).toEqual(['lost']), patience)
    icon.update(menu(true))
    await icon[Symbol.asyncDispose]()
    expect(events).toEqual(['lost'])
  })

  test('whose icon is closed is not lost', async () => {
    await using program = await trayProgram('say({ type: "ready" })')
    const icon = await trayOf(program).open(menu())
    const events = recorded(icon)
    await icon[Symbol.asyncDispose]()
    expect(events).toEqual([])
  })

  test('that does not end by itself is killed', async () => {
    await using program = await trayProgram(`
      process.stdin.removeAllListeners('end')
      setInterval(() => undefined, 1000)
      say({ type: 'ready' })`)
    const icon = await trayOf(program).open(menu())
    await icon[Symbol.asyncDispose]()
    expect(await isRunning(program)).toBe(false)
  })

  test.each([
    ['ends at once', 'process.stderr.write("secret"); process.exit(1)', 60_000, 'ended'],
    ['never gets ready', 'say({ type: "other" })', 500, 'timeout'],
  ])('that %s shows no icon, and is reported without its words', async (_, script, readyTimeoutMs, fault) => {
    await using program = await trayProgram(script)
    const opening = trayOf(program, readyTimeoutMs).open(menu())
    await expect(opening).rejects.toMatchObject({ code: 'ERR_TRAY', fault })
    await expect(opening).rejects.not.toThrow(/secret/)
    expect(await isRunning(program)).toBe(false)
  })

  test('that cannot start shows no icon', async () => {
    await using program = await trayProgram('')
    const tray = trayOf({ ...program, executable: join(program.folder, 'absent') })
    await expect(tray.open(menu())).rejects.toMatchObject({ fault: 'ended' })
  })

  test('is never searched in the working directory', () => {
    expect(() => createTray({ folder: '/tmp', executable: 'tray.cjs' })).toThrow('absolute path')
    expect(() => createTray({ folder: 'tray' })).toThrow('absolute path')
  })

  test('is ended when the opening is aborted', async () => {
    await using program = await trayProgram('')
    const abort = new AbortController()
    const opening = trayOf(program).open(menu(), abort.signal)
    const rejected = expect(opening).rejects.toThrow('given up')
    await expect.poll(async () => (await notesOf(program)).length, patience).toBe(1)
    abort.abort(new Error('given up'))
    await rejected
    expect(await isRunning(program)).toBe(false)
  })
})

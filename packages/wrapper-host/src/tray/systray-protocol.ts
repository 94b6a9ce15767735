import { z } from 'zod'
import type { TrayMenu } from './tray.ts'

/** Places for items: the program cannot add any later, so those that a menu leaves free are there and hidden. */
export const menuPlaces = 3

/** An item as the program takes it; `__id` comes back with a click. */
interface ProgramItem {
  readonly title: string
  readonly tooltip: string
  readonly checked: boolean
  readonly enabled: boolean
  readonly hidden: boolean
  readonly __id: number
}

/** The first line to the program: the icon with its menu. */
export function writeMenu(menu: TrayMenu, icon: Uint8Array): string {
  return line({ icon: Buffer.from(icon).toString('base64'), ...headOf(menu), items: itemsOf(menu) })
}

/** The lines that make the menu that is shown another one; none when they look the same. */
export function writeChanges(shown: TrayMenu, wanted: TrayMenu): string[] {
  const before = itemsOf(shown).map(item => JSON.stringify(item))
  // Versions of the program find the item by its place or by its own number.
  const items = itemsOf(wanted)
    .map((item, place) => ({ type: 'update-item', item, seq_id: place }))
    .filter(({ item }, place) => JSON.stringify(item) !== before[place])
  const head = shown.tooltip === wanted.tooltip ? [] : [{ type: 'update-menu', menu: headOf(wanted) }]
  return [...items, ...head].map(line)
}

/** What the program tells. */
export type ProgramLine =
  | { readonly type: 'ready' }
  /** `place` counts from 0. */
  | { readonly type: 'clicked'; readonly place: number }

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('clicked'), __id: z.int().min(1).max(menuPlaces) }),
])

/** Reads a line of the program; `undefined` when it says nothing that we know. */
export function readProgramLine(text: string): ProgramLine | undefined {
  const { data } = lineSchema.safeParse(readJson(text))
  return data?.type === 'clicked' ? { type: 'clicked', place: data.__id - 1 } : data
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without a title: on macOS it would stand beside the icon. */
function headOf(menu: TrayMenu) {
  return { title: '', tooltip: menu.tooltip, isTemplateIcon: false }
}

function itemsOf(menu: TrayMenu): readonly ProgramItem[] {
  return Array.from({ length: menuPlaces }, (_, place) => {
    const item = menu.items[place]
    return {
      title: item?.label ?? '',
      tooltip: '',
      checked: false,
      enabled: item?.isEnabled ?? false,
      hidden: item === undefined,
      __id: place + 1,
    }
  })
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

import { presentLanguage } from '@service-link/ui/page-language'
import { readTexts } from '@service-link/ui/texts'
import { dayText, localeNow } from '../../journal/texts.ts'
import type { Said } from '../demo-state.ts'
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }

export const { t, find } = readTexts({ en, nb }, presentLanguage)

/** A sentence of the server, with the time of day. */
export function textOf({ key, values }: Said): string {
  const time = new Intl.DateTimeFormat(localeNow(), { timeStyle: 'short' })
  return t(`states.${key}`, { ...values, at: time.format(Number(values.at)) })
}

/** A value of a patient as people read it. */
export function valueText(field: string, value: string): string {
  return field === 'dateOfBirth' ? dayText(value) : (find(`genders.${value}`) ?? value)
}

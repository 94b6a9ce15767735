import i18next, { type ParseKeys } from 'i18next'
import type { ReactElement } from 'react'
import { Trans } from 'react-i18next/TransWithoutContext'

interface RichProps {
  readonly text: ParseKeys
  /** Elements by their tag's name in the text: `Given to <person>{{name}}</person>`. */
  readonly parts: Readonly<Record<string, ReactElement>>
  readonly values?: Readonly<Record<string, string | number>>
}

/** A text with elements in it, such as links. Values are escaped, so that no name becomes a tag. */
export function Rich({ text, parts, values = {} }: RichProps) {
  return (
    <Trans
      i18n={i18next}
      i18nKey={text}
      components={parts}
      values={values}
      tOptions={{ interpolation: { escapeValue: true } }}
      shouldUnescape
    />
  )
}

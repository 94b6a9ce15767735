import { Box, Text } from '@mantine/core'
import { DesktopIcon, Link2Icon, Pencil1Icon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import type { StoredPerson } from '../api/queries.ts'
import { formatDay } from '../parts/format.ts'
import { pageText } from './page-texts.ts'

/** Who wrote a value, in which way, and when. */
export type Origin = StoredPerson['origins'][string]

const icons: Readonly<Record<Origin['by'], ReactNode>> = {
  link: <Link2Icon />,
  pipe: <DesktopIcon />,
  file: <DesktopIcon />,
  arguments: <DesktopIcon />,
  program: <DesktopIcon />,
  typed: <Pencil1Icon />,
}

export interface Source {
  readonly by: Origin['by']
  /** `From Nordlys Journal, by link, 26 Nov 2026`. */
  readonly text: string
}

function sourceOf({ by, from, at }: Origin): Source {
  return { by, text: pageText(`origins.${by}`, { from: from ?? '', date: formatDay(at) }) }
}

/** The sources of what the page shows, each once. */
export function sourcesOf(origins: readonly (Origin | undefined)[]): readonly Source[] {
  const sources = origins.flatMap(origin => (origin ? [sourceOf(origin)] : []))
  return [...new Map(sources.map(source => [source.text, source])).values()]
}

interface OriginMarkProps {
  readonly origin: Origin | undefined
  readonly sources: readonly Source[]
}

/** A mark beside a value: where it comes from. {@link OriginLegend} has its sentence. */
export function OriginMark({ origin, sources }: OriginMarkProps) {
  if (!origin) return null
  const { by, text } = sourceOf(origin)
  return (
    <span className="origin-mark" role="img" aria-label={text} title={text}>
      {icons[by]}
      {sources.length > 1 && <sup>{sources.findIndex(source => source.text === text) + 1}</sup>}
    </span>
  )
}

/** The sentences of the marks, numbered if there are several. */
export function OriginLegend({ sources }: Pick<OriginMarkProps, 'sources'>) {
  return (
    <Box component="ul" className="plain-list" data-testid="person-origin">
      {sources.map(({ by, text }, index) => (
        <Text component="li" size="xs" c="dimmed" key={text}>
          <span className="origin-mark" aria-hidden>
            {icons[by]}
            {sources.length > 1 && <sup>{index + 1}</sup>}
          </span>
          {text}
        </Text>
      ))}
    </Box>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { Fragment, useMemo, useState } from 'react'
import type { StoredPerson } from '../api/queries.ts'
import { formatDay } from '../parts/format.ts'
import { moveKeyboard } from '../parts/keyboard.ts'
import {
  type CoursePoint,
  groupMeasurements,
  type Measurement,
  type MeasurementGroup,
} from '../parts/measurements.ts'
import { pageText } from './page-texts.ts'

/** How many kinds are shown at first, and how many earlier measurements of one kind at most. */
const [shownKinds, shownEarlier] = [12, 200]

/** What was measured: the newest of each kind, with the earlier ones behind it. */
export function PersonMeasurements({ profileData = [] }: Pick<StoredPerson, 'profileData'>) {
  const groups = useMemo(() => groupMeasurements(profileData), [profileData])
  const [isWhole, setWhole] = useState(false)
  const showWhole = () => {
    setWhole(true)
    moveKeyboard(`[data-testid="profile-data"] > li:nth-child(${shownKinds + 1})`)
  }
  if (groups.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {pageText('measurements.none')}
      </Text>
    )
  return (
    <>
      <ul className="plain-list facts" data-testid="profile-data">
        {groups.slice(0, isWhole ? undefined : shownKinds).map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: kinds may have no name, and their order is fixed.
          <li key={index}>
            <Kind {...group} />
          </li>
        ))}
      </ul>
      {groups.length > shownKinds && !isWhole && (
        <Button variant="default" size="compact-sm" mt="md" onClick={showWhole}>
          {pageText('measurements.showAll', { count: groups.length })}
        </Button>
      )}
    </>
  )
}

function Kind({ latest, earlier, course }: MeasurementGroup) {
  const shown = earlier.slice(0, shownEarlier)
  return (
    <>
      <Text component="h4" size="xs" c="dimmed" fw={400}>
        {latest.name || pageText('measurements.unnamed')}
      </Text>
      <Group gap="2px 12px" fz="1.375rem" lh={1.4}>
        <b>{valueText(latest)}</b>
        <Course points={course} />
      </Group>
      <Circumstances of={latest} />
      {earlier.length > 0 && (
        // A measurement whose date is not understood may be the latest.
        <details open={earlier.some(({ date }) => date.kind === 'odd')}>
          <summary>{pageText('measurements.earlier', { count: earlier.length })}</summary>
          <ul className="plain-list stack">
            {shown.map((measurement, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be equal, and their order is fixed.
              <li key={index}>
                <b>{valueText(measurement)}</b>
                <Circumstances of={measurement} />
              </li>
            ))}
          </ul>
          {shown.length < earlier.length && (
            <Text size="xs" c="dimmed">
              {pageText('measurements.newest', { count: shown.length })}
            </Text>
          )}
        </details>
      )}
    </>
  )
}

const valueText = ({ value, unit }: Measurement) =>
  [value, unit].filter(Boolean).join(' ') || pageText('measurements.noValue')

/** When it was measured, by whom, and what else was sent. */
function Circumstances({ of }: { readonly of: Measurement }) {
  return (
    <>
      <Text size="xs" c="dimmed">
        {[dateText(of), of.source].filter(Boolean).join(' · ')}
      </Text>
      {of.description && (
        <Text size="xs" c="dimmed">
          {of.description}
        </Text>
      )}
      {of.more.length > 0 && (
        <details>
          <summary>{pageText('measurements.more')}</summary>
          <dl className="link-facts">
            {of.more.map(([name, text]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </Fragment>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}

function dateText({ date }: Measurement): string {
  if (date.kind === 'missing') return pageText('measurements.noDate')
  if (date.kind === 'odd') return pageText('measurements.oddDate', { text: date.text })
  return [formatDay(date.day), date.time].filter(Boolean).join(', ')
}

/** Width and height of the line, in pixels. */
const [width, height] = [112, 28]

/** A line through the numbers by their time. Screen readers read the numbers with their days. */
function Course({ points }: { readonly points: readonly CoursePoint[] }) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const numbers = points.map(({ number }) => number)
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const places = points.map(({ at, number }, index) => {
    const along = last.at > first.at ? (at - first.at) / (last.at - first.at) : index / (points.length - 1)
    const up = high > low ? (number - low) / (high - low) : 0.5
    return [3 + along * (width - 6), height - 3 - up * (height - 6)] as const
  })
  const label = points
    .map(({ measurement }) => `${valueText(measurement)} (${dateText(measurement)})`)
    .join('; ')
  const [x, y] = places.at(-1) ?? [0, 0]
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      overflow="visible"
      stroke="var(--text-link)"
    >
      <polyline points={places.map(place => place.join()).join(' ')} fill="none" strokeWidth={1.5} />
      <circle cx={x} cy={y} r={2.5} fill="var(--text-link)" />
    </svg>
  )
}

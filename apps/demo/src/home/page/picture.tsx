import type { DemoState, StepState } from '../demo-state.ts'
import { t } from './texts.ts'

type Tone = StepState['tone']

const isLit = (tone: Tone) => tone === 'waits' || tone === 'done'

/** The three parts and the ways between them. What runs is lit, and keeps that once it has run: then with whole lines and a check mark. */
export function Picture({ link, wrapper, my }: Pick<DemoState, 'link' | 'wrapper' | 'my'>) {
  // A wrapper that only runs has carried nothing yet.
  const { driven } = wrapper
  const [isLinked, isDriven, isRead] = [isLit(link.tone), isLit(driven), isLit(my.tone)]
  const label = t('picture.label', {
    link: t(`tones.${link.tone}`),
    wrapper: t(`tones.${driven}`),
    my: t(`tones.${my.tone}`),
  })
  return (
    <svg className="landing-picture" viewBox="0 0 340 184" role="img" aria-label={label}>
      <defs>
        <marker
          id="head"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerUnits="userSpaceOnUse"
          markerWidth="12"
          markerHeight="12"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8z" fill="context-stroke" />
        </marker>
      </defs>
      <Way number={1} tone={link.tone} at={[110, 24]} paths={['M96 48h27']} />
      <Way number={2} tone={driven} at={[46, 114]} paths={['M46 87v61h44', 'M170 120v-35']} />
      <Way number={3} tone={my.tone} at={[230, 24]} paths={['M219 48h27']} />
      <Part name="journal" x={1} y={10} isLit={isLinked || isDriven}>
        <path d="M37 20h18v20H37zM41 26h10M41 31h10" />
      </Part>
      <Part name="service" x={124} y={10} isLit={isLinked || isDriven || isRead}>
        <path d="M156 31h6l4-10 6 17 4-10h8" />
      </Part>
      <Part name="patient" x={247} y={10} isLit={isRead}>
        <path d="M288.5 24a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0M283 41c0-12 20-12 20 0" />
      </Part>
      <Part name="wrapper" x={91} y={122} width={158} height={52} isLit={isDriven}>
        <path d="M159 130h22v15h-22zM159 134.5h22" />
      </Part>
    </svg>
  )
}

interface PartProps {
  readonly name: 'journal' | 'service' | 'patient' | 'wrapper'
  readonly x: number
  readonly y: number
  readonly width?: number
  readonly height?: number
  readonly isLit: boolean
  /** Its drawing. */
  readonly children: React.ReactNode
}

function Part({ name, x, y, width = 92, height = 74, isLit, children }: PartProps) {
  const lines = t(`picture.${name}`).split('|')
  const last = y + height - 9
  return (
    <g className="part" data-is-lit={isLit}>
      <rect x={x} y={y} width={width} height={height} rx={10} />
      {children}
      {lines.map((line, index) => (
        <text key={line} x={x + width / 2} y={last - 15 * (lines.length - 1 - index)}>
          {line}
        </text>
      ))}
    </g>
  )
}

interface WayProps {
  readonly number: number
  readonly tone: Tone
  /** Where its number is. */
  readonly at: readonly [number, number]
  readonly paths: readonly string[]
}

const signs = { ready: undefined, waits: undefined, done: '✓', refused: '!' } as const

function Way({ number, tone, at: [x, y], paths }: WayProps) {
  return (
    <g className="way" data-tone={tone}>
      {paths.map(path => (
        <path key={path} d={path} markerEnd="url(#head)" />
      ))}
      <circle cx={x} cy={y} r={11} />
      <text x={x} y={y + 4.5}>
        {signs[tone] ?? number}
      </text>
    </g>
  )
}

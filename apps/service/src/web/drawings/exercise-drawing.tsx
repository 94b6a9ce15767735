import { Suspense, use, useId } from 'react'
import type { drawingOf, FigurePaths } from './draw-pose.ts'

interface ExerciseDrawingProps {
  readonly slug: string
  /** Width and height, in CSS pixels. */
  readonly size: number
}

/** Widths of strokes, in units of the drawing, which is 100 wide. */
const widths = { thing: 2.3, pad: 4.5, limb: 4.8, trunk: 10, gap: 7.6 }

let draw: Promise<typeof drawingOf> | undefined

/** Loads the poses where an exercise is shown. A page without its drawings is still of use. */
const loadPoses = () =>
  import('./draw-pose.ts').then(
    module => module.drawingOf,
    () => () => undefined,
  )

/**
 * A line drawing of an exercise in the color of the text. Decorative: its name must stand beside it. It has its place
 * before it has loaded.
 */
export function ExerciseDrawing({ slug, size }: ExerciseDrawingProps) {
  return (
    <span className="drawing" style={{ width: size, height: size }}>
      <Suspense>
        <DrawnPose slug={slug} size={size} />
      </Suspense>
    </span>
  )
}

function DrawnPose({ slug, size }: ExerciseDrawingProps) {
  draw ??= loadPoses()
  const gapId = useId()
  const drawing = use(draw)(slug)
  if (!drawing) return null
  const { viewBox, things, pads, arrows, from, to } = drawing
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox={viewBox}
      fill="none"
      stroke="currentColor"
      strokeWidth={widths.thing}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <mask id={gapId} maskUnits="userSpaceOnUse" x="-50" y="-50" width="200" height="200">
        <path d="M-50-50h200v200h-200z" fill="white" stroke="none" />
        <path d={to.arms} stroke="black" strokeWidth={widths.gap} />
      </mask>
      <g mask={`url(#${gapId})`}>
        {/* One opacity for the whole figure, or its parts would show through each other. */}
        <g opacity={0.27}>
          <Body paths={from} farOpacity={1} />
          <Front paths={from} />
        </g>
      </g>
      <path d={things} opacity={0.7} />
      <path d={pads} strokeWidth={widths.pad} opacity={0.4} />
      <g mask={`url(#${gapId})`}>
        <Body paths={to} farOpacity={0.45} />
      </g>
      <Front paths={to} />
      <path d={arrows} opacity={0.8} />
    </svg>
  )
}

/** What the near arms hide. */
function Body({ paths, farOpacity }: { readonly paths: FigurePaths; readonly farOpacity: number }) {
  return (
    <g strokeWidth={widths.limb}>
      <path d={paths.far} opacity={farOpacity} />
      <path d={paths.trunk} strokeWidth={widths.trunk} />
      <path d={paths.legs} />
    </g>
  )
}

function Front({ paths }: { readonly paths: FigurePaths }) {
  return (
    <>
      <path d={paths.arms} strokeWidth={widths.limb} />
      <path d={paths.head} fill="currentColor" stroke="none" />
    </>
  )
}

import { useId } from 'react'
import { drawingOf, type FigurePaths } from './draw-pose.ts'

interface ExerciseDrawingProps {
  readonly slug: string
  /** Width and height, in CSS pixels. */
  readonly size: number
}

/** Widths of strokes, in units of the drawing, which is 100 wide. */
const widths = { thing: 2.3, pad: 4.5, limb: 4.8, trunk: 10, gap: 7.6 }

/** A line drawing of an exercise in the color of the text. Decorative: its name must stand beside it. */
export function ExerciseDrawing({ slug, size }: ExerciseDrawingProps) {
  const gapId = useId()
  const drawing = drawingOf(slug)
  if (!drawing) return null
  return (
    <svg
      aria-hidden="true"
      className="exercise-drawing"
      width={size}
      height={size}
      viewBox={drawing.viewBox}
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <mask id={gapId} maskUnits="userSpaceOnUse" x="-50" y="-50" width="200" height="200">
        <path d="M-50-50h200v200h-200z" fill="white" stroke="none" />
        <path d={drawing.to.arms} stroke="black" strokeWidth={widths.gap} />
      </mask>
      <Figure paths={drawing.from} opacity={0.27} />
      <path d={drawing.things} strokeWidth={widths.thing} opacity={0.7} />
      <path d={drawing.pads} strokeWidth={widths.pad} opacity={0.4} />
      <Figure paths={drawing.to} gapId={gapId} />
      <path d={drawing.arrows} strokeWidth={widths.thing} opacity={0.8} />
    </svg>
  )
}

/** One opacity for the whole figure, or its parts would show through each other. */
function Figure({ paths, opacity, gapId }: { paths: FigurePaths; opacity?: number; gapId?: string }) {
  return (
    <g opacity={opacity}>
      <g mask={gapId && `url(#${gapId})`} strokeWidth={widths.limb}>
        <path d={paths.far} opacity={gapId && 0.45} />
        <path d={paths.trunk} strokeWidth={widths.trunk} />
        <path d={paths.legs} />
      </g>
      <path d={paths.arms} strokeWidth={widths.limb} />
      <path d={paths.head} fill="currentColor" stroke="none" />
    </g>
  )
}

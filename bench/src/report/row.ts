/** What a figure counts. */
export type Unit = 'µs' | 'ms' | 'MB' | 'requests/s'

/** A figure and whose it is. */
export interface Figure {
  /** What was measured, in few words: `net`, `jose`. */
  readonly of: string
  readonly value: number
}

/** Bound that design section 15 sets. */
export type Goal =
  /** Bound of {@link Row.ratio}. */
  | { readonly on: 'ratio'; readonly atMost: number }
  | { readonly on: 'ratio'; readonly atLeast: number }
  /** Bound of {@link Row.ours} itself, in the row's unit. */
  | { readonly on: 'ours'; readonly atMost: number }

/** One line of the table. */
export interface Row {
  /** What is measured. */
  readonly name: string
  readonly unit: Unit
  /** The least that it can cost: the same without what is ours. */
  readonly floor?: Figure
  /** What others would use instead. */
  readonly peer?: Figure
  readonly ours: number
  /** Ours by the floor; where the goal is about the peer, the peer by ours. */
  readonly ratio: number
  /** Without one the line is for orientation. */
  readonly goal?: Goal
}

/** What came of one measured path. */
export type PathResult = { readonly rows: readonly Row[] } | { readonly skipped: string }

/** One measured path: a file of `paths/`. */
export interface MeasuredPath {
  /** For `--only`. */
  readonly name: string
  /** Heading of its lines. */
  readonly title: string
  measure(): Promise<PathResult>
}

/** What a native program asks a wrapper. */
export type NativeQuestion =
  | { readonly command: string; readonly args?: object }
  /** In hexadecimal digits, whatever they are; one that leaves reads no reply. */
  | { readonly bytes: string; readonly leaves?: boolean }

/** What `ask-wrapper.ts` is given: the last question ends the wrapper. */
export interface NativeQuestions {
  /** Users and workouts, as `createMemoryWebApp` takes them. */
  readonly world: object
  /** Those of one batch are asked at the same time. */
  readonly batches: readonly (readonly NativeQuestion[])[]
}

/** How a native program ended, and what became of the wrapper with its batch. */
export interface NativeAnswer {
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
  /** What reached the web app, of the whole batch. */
  readonly calls: readonly object[]
  /** The window's. */
  readonly state: string
}

/** A question of a native program to a wrapper. */
export type NativeQuestion =
  | { readonly command: string; readonly args?: object }
  /** Bytes in hexadecimal digits. A program that leaves reads no reply. */
  | { readonly bytes: string; readonly leaves?: boolean }

/** Input of `ask-wrapper.ts`: the last question ends the wrapper. */
export interface NativeQuestions {
  /** Users and workouts, in the form of `createMemoryWebApp`. */
  readonly world: object
  /** Questions of one batch are asked concurrently. */
  readonly batches: readonly (readonly NativeQuestion[])[]
}

/** The end of a native program and the state of the wrapper after its batch. */
export interface NativeAnswer {
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
  /** Calls of the whole batch that reached the web app. */
  readonly calls: readonly object[]
  /** Calls that reached the window. */
  readonly state: string
}

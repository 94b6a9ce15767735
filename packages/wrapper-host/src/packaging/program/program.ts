/** A program for an executable. */
export interface Program {
  /** ES module that the executable begins with; it imports modules of Node only. */
  readonly main: string
  /** What else the executable holds for it: name → content. */
  readonly assets: Readonly<Record<string, string>>
  /** Licences of the packages that it is made of. */
  readonly licences: string
}

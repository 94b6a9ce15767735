import { isDeepStrictEqual } from 'node:util'
import pc from 'picocolors'

export class Story {
  #passed = 0
  #failed = 0
  #skipped = 0
  readonly #mustRun: boolean
  #isMainPartSkipped = false

  /** @param options `mustRun`: a skipped step counts as failed, for example in CI */
  constructor(options: { readonly mustRun: boolean }) {
    this.#mustRun = options.mustRun
  }

  /**
   * Runs one chapter. A failed step ends its chapter, because the next step builds on it. The next chapter runs all
   * the same.
   */
  async chapter(title: string, tell: () => Promise<void>): Promise<void> {
    process.stdout.write(`\n${pc.bold(title)}\n`)
    try {
      await tell()
    } catch (error) {
      if (error instanceof ToldFailure) return
      this.#fail(`between the steps of “${title}”`, 0, error)
    }
  }

  async step<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now()
    try {
      const result = await work()
      this.#passed += 1
      print(pc.green('✓'), title, performance.now() - begun)
      return result
    } catch (error) {
      this.#fail(title, performance.now() - begun, error)
      throw new ToldFailure()
    }
  }

  /** @param isMain whether it is the main part: the check then ends with 2, unless a step fails */
  skip(title: string, reason: string, isMain = false): void {
    this.#isMainPartSkipped ||= isMain
    if (this.#mustRun) {
      this.#fail(title, 0, new Error(`It must not be skipped here: ${reason}`))
      return
    }
    this.#skipped += 1
    process.stdout.write(`  ${pc.yellow('–')} ${title}: skipped, ${reason}\n`)
  }

  /** Prints the counts. Returns the exit code: 0 if nothing failed, 1 if a step failed, 2 if the main part was skipped. */
  end(): 0 | 1 | 2 {
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : ''
    process.stdout.write(`\n${this.#passed} steps shown, ${this.#failed} failed${skipped}\n`)
    if (this.#failed > 0) return 1
    return this.#isMainPartSkipped ? 2 : 0
  }

  #fail(title: string, elapsedMs: number, error: unknown): void {
    this.#failed += 1
    print(pc.red('✗'), title, elapsedMs)
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stdout.write(`${text.replaceAll(/^/gm, '      ')}\n`)
  }
}

/** A failure that was already printed. */
class ToldFailure extends Error {}

function print(sign: string, title: string, elapsedMs: number): void {
  process.stdout.write(`  ${sign} ${title} ${pc.dim(`${elapsedMs.toFixed(0)} ms`)}\n`)
}

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`)
}

export function expectMatch(what: string, actual: string, expected: RegExp): void {
  if (!expected.test(actual)) throw new Error(`${what} is ${JSON.stringify(actual)}, expected ${expected}`)
}

/** Tells a talk from a flood: how much was taken within any one second, roughly. */
export class FloodGate {
  readonly #maxPerSecond: number
  #secondStartedAt = 0
  #taken = 0

  constructor(maxPerSecond: number) {
    this.#maxPerSecond = maxPerSecond
  }

  /** @returns whether it was too much by now */
  take(amount: number, nowMs: number): boolean {
    if (nowMs - this.#secondStartedAt >= 1000) {
      this.#secondStartedAt = nowMs
      this.#taken = 0
    }
    this.#taken += amount
    return this.#taken > this.#maxPerSecond
  }
}

interface Sample {
  position: number
  /** Milliseconds of the monotonic clock. */
  at: number
}

const samplesPerLag = 10

/**
 * Stores earlier positions of the primary, to decide whether a standby is at most `maxLag` milliseconds
 * behind it.
 */
export class LagSamples {
  readonly #maxLag: number
  #samples: Sample[] = []
  /** When the last position was added. */
  #addedAt = 0

  constructor(maxLag: number) {
    this.#maxLag = maxLag
  }

  /** Adds the position of the primary at `at`. Keeps about 20 samples. */
  add(position: number, at: number): void {
    this.#addedAt = at
    this.#samples = this.#samples.filter((sample) => at - sample.at <= 2 * this.#maxLag)
    const last = this.#samples.at(-1)
    if (last === undefined || at - last.at >= this.#maxLag / samplesPerLag)
      this.#samples.push({ position, at })
  }

  /**
   * The position that a standby must have replayed: that of the primary `maxLag` ago. Without a sample of that time it
   * is the oldest sample, which is stricter. Call `add` first.
   */
  findBound(now: number): number {
    const sample = this.#samples.findLast(({ at }) => now - at >= this.#maxLag) ?? this.#samples[0]
    return sample?.position ?? Number.POSITIVE_INFINITY
  }

  /** Milliseconds that a standby with this position was behind at the last `add`, as far as the samples show. */
  measureLag(replayedPosition: number): number {
    const nextSample = this.#samples.find(({ position }) => position > replayedPosition)
    return nextSample === undefined ? 0 : this.#addedAt - nextSample.at
  }
}

/** One way to do the work. `measure` returns the figure of one round, such as requests per second. */
export interface Contender<Figure = number> {
  name: string
  measure(): Promise<Figure>
}

/**
 * Measures the contenders alternately after one warm-up round. The order is reversed each time, so that none always
 * follows the same one. Returns the figures of each contender.
 */
export async function measureAlternately<Figure>(
  contenders: readonly Contender<Figure>[],
  rounds: number,
): Promise<Figure[][]> {
  const figures: Figure[][] = contenders.map(() => [])
  for (let round = -1; round < rounds; round += 1) {
    const turn = [...contenders.entries()]
    if (round % 2 !== 0) turn.reverse()
    for (const [index, contender] of turn) {
      const figure = await contender.measure()
      if (round >= 0) figures[index]?.push(figure)
    }
  }
  return figures
}

/** One way to do the work; `measure` answers the figure of one round, for instance requests a second. */
export interface Contender<Figure = number> {
  name: string
  measure(): Promise<Figure>
}

/**
 * Measures in turns (A B C, A B C, ...), after one turn that is thrown away to warm up; the order turns
 * round each time, so that none always follows the same one. Answers each contender's rounds.
 */
export async function alternate<Figure>(
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

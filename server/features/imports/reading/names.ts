import { type LoopTurn, loopTurn } from '#server/platform/work/loop-turn.ts'

/** Far less than a millisecond of work. */
const namesPerLook = 500

/** Calls `act` for each name in a zip, of which there may be half a million, in as many turns of the loop as needed. */
export async function forEachName(
  names: Iterable<string>,
  act: (name: string) => void,
  turn: Pick<LoopTurn, 'giveWay'> = loopTurn,
): Promise<void> {
  let looked = 0
  for (const name of names) {
    if (looked % namesPerLook === 0) await turn.giveWay()
    looked += 1
    act(name)
  }
}

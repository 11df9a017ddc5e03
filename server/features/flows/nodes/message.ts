import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import { maxCallsInRow } from '#server/features/flows/step/session-turn.ts'
import { notSaid, say, speech } from '#server/features/flows/step/speak.ts'
import { spokenMedia, spokenText } from '#server/features/flows/step/speech.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const message: NodeStep<NodeOf<'message'>> = {
  enter(node, turn) {
    const { text, media, fallback, typingMs } = node
    const { fill, world } = turn
    if (typingMs && !turn.isTyped && turn.calls < maxCallsInRow && world.isWindowOpen) {
      turn.calls += 1
      turn.step(node, { why: 'typing', effect: { kind: 'typing' } })
      return turn.waitAt(node, 'typing', turn.after(typingMs))
    }
    turn.isTyped = false
    const said = speech(
      {
        fallback,
        hasContent: Boolean(fill(text) || media),
        write: () =>
          media ? { kind: 'media', ...spokenMedia(fill, media, text) } : { kind: 'text', ...spokenText(fill, text) },
      },
      turn,
    )
    if (said === 'nothingToSay') {
      turn.step(node, { why: said, output: 'next' })
      return { output: 'next' }
    }
    return typeof said === 'string' ? notSaid(node, said, turn) : say(node, said, turn)
  },
}

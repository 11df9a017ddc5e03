import type { NodeOf } from '#shared/flows/graph.ts'
import type { NodeStep } from '../step/node-step.ts'
import { maxCallsInRow } from '../step/running-session.ts'
import { notSaid, say, speech } from '../step/speak.ts'
import { spokenMedia, spokenText } from '../step/speech.ts'

export const message: NodeStep<NodeOf<'message'>> = {
  enter(node, session) {
    const { text, media, fallback, typingMs } = node
    const { fill, world } = session
    if (typingMs && !session.isTyped && session.calls < maxCallsInRow && world.isWindowOpen) {
      session.calls += 1
      session.step(node, { why: 'typing', effect: { kind: 'typing' } })
      return session.waitAt(node, 'typing', session.after(typingMs))
    }
    session.isTyped = false
    const said = speech(
      {
        fallback,
        hasContent: Boolean(fill(text) || media),
        write: () =>
          media ? { kind: 'media', ...spokenMedia(fill, media, text) } : { kind: 'text', ...spokenText(fill, text) },
      },
      session,
    )
    if (said === 'nothingToSay') {
      session.step(node, { why: said, output: 'next' })
      return { output: 'next' }
    }
    return typeof said === 'string' ? notSaid(node, said, session) : say(node, said, session)
  },
}

import type { NodeOf } from '#shared/flows/graph.ts'
import { fileOfMessage, textOfMessage } from '../step/message-texts.ts'
import type { NodeStep } from '../step/node-step.ts'
import { maxCallsInRow } from '../step/running-session.ts'
import { composeMessage, giveUpSending, say } from '../step/sending.ts'

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
    const message = composeMessage(
      {
        fallback,
        hasContent: Boolean(fill(text) || media),
        write: () =>
          media
            ? { kind: 'media', ...fileOfMessage(fill, media, text) }
            : { kind: 'text', ...textOfMessage(fill, text) },
      },
      session,
    )
    if (message === 'nothingToSay') {
      session.step(node, { why: message, output: 'next' })
      return { output: 'next' }
    }
    return typeof message === 'string' ? giveUpSending(node, message, session) : say(node, message, session)
  },
}

import type { NodeOf } from '#shared/flows/graph.ts'
import { readAnswer, readShared } from '../step/answers.ts'
import { textOfMessage } from '../step/message-texts.ts'
import type { NodeStep } from '../step/node-step.ts'
import { ask, composeMessage, timeOut } from '../step/sending.ts'

export const question: NodeStep<NodeOf<'question'>> = {
  enter(node, session) {
    const { text, fallback } = node
    const write = () => ({ kind: 'text' as const, ...textOfMessage(session.fill, text) })
    return ask(node, composeMessage({ fallback, hasContent: Boolean(session.fill(text)), write }, session), session)
  },

  onMessage(node, message, session) {
    const { expects, pattern, variable, attempts, text, retryText, timeoutMs } = node
    const { world, work } = session
    const read = session.within(() => {
      if (expects === 'file' || expects === 'location') return { value: readShared(expects, message) }
      return {
        value: message.isText ? readAnswer(expects, message.text, { now: world.now, pattern, work }) : undefined,
      }
    })
    const { value } = read === 'tooMuchWork' ? {} : read
    if (value !== undefined) {
      const input = expects === 'location' ? value : message.text
      session.step(node, { input, output: 'next', why: 'answered', changes: session.assign({ [variable]: value }) })
      return { output: 'next' }
    }
    const input = message.text
    const tries = session.tries + 1
    if (tries >= attempts) {
      session.step(node, { input, output: 'invalid', why: read === 'tooMuchWork' ? read : 'tooManyTries' })
      return { output: 'invalid' }
    }
    session.step(node, { input, why: read === 'tooMuchWork' ? read : 'notAnAnswer' })
    if (!world.isWindowOpen) return session.parkAt(node)
    session.step(node, session.textEffect(retryText?.trim() ? retryText : text, 'askedAgain'))
    return session.waitForAnswer(node, timeoutMs, tries)
  },

  onTime: timeOut,
}

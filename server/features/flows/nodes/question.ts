import { readAnswer, readShared } from '#server/features/flows/step/answers.ts'
import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import { ask, speech, timeOut } from '#server/features/flows/step/speak.ts'
import { spokenText } from '#server/features/flows/step/speech.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const question: NodeStep<NodeOf<'question'>> = {
  enter(node, turn) {
    const { text, fallback } = node
    const write = () => ({ kind: 'text' as const, ...spokenText(turn.fill, text) })
    return ask(node, speech({ fallback, hasContent: Boolean(turn.fill(text)), write }, turn), turn)
  },

  onMessage(node, message, turn) {
    const { expects, pattern, variable, attempts, text, retryText, timeoutMs } = node
    const { world, work } = turn
    const read = turn.within(() => {
      if (expects === 'file' || expects === 'location') return { value: readShared(expects, message) }
      return {
        value: message.isText ? readAnswer(expects, message.text, { now: world.now, pattern, work }) : undefined,
      }
    })
    const { value } = read === 'tooMuchWork' ? {} : read
    if (value !== undefined) {
      const input = expects === 'location' ? value : message.text
      turn.step(node, { input, output: 'next', why: 'answered', changes: turn.assign({ [variable]: value }) })
      return { output: 'next' }
    }
    const input = message.text
    const tries = turn.tries + 1
    if (tries >= attempts) {
      turn.step(node, { input, output: 'invalid', why: read === 'tooMuchWork' ? read : 'tooManyTries' })
      return { output: 'invalid' }
    }
    turn.step(node, { input, why: read === 'tooMuchWork' ? read : 'notAnAnswer' })
    if (!world.isWindowOpen) return turn.parkAt(node)
    turn.step(node, turn.saying(retryText?.trim() ? retryText : text, 'askedAgain'))
    return turn.waitForAnswer(node, timeoutMs, tries)
  },

  onTime: timeOut,
}

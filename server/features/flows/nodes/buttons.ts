import type { NodeOf } from '#shared/flows/graph.ts'
import { variableMaxChars } from '#shared/flows/variables.ts'
import { optionOf } from '../step/answers.ts'
import { optionsOfMessage } from '../step/message-texts.ts'
import type { NodeStep } from '../step/node-step.ts'
import { ask, composeMessage, timeOut } from '../step/sending.ts'

export const buttons: NodeStep<NodeOf<'buttons'>> = {
  enter(node, session) {
    const { text, fallback } = node
    const write = () => {
      const shown = optionsOfMessage(node, session.fill, session.world.listLabel)
      if (!shown.options.length) return 'nothingToSay' as const
      return { kind: 'options' as const, nodeId: node.id, ...shown }
    }
    return ask(node, composeMessage({ fallback, hasContent: Boolean(session.fill(text)), write }, session), session)
  },

  onMessage(node, message, session) {
    const shown = optionsOfMessage(node, session.fill, session.world.listLabel).options
    const option = optionOf(node, message, shown)
    const output = option?.id ?? 'other'
    const value = (option?.title ?? message.text.trim()).slice(0, variableMaxChars)
    const { variable } = node
    const changes = variable ? session.assign({ [variable]: value, [`${variable}_id`]: option?.id ?? '' }) : {}
    session.step(node, { input: message.text, output, why: option ? 'chosen' : 'otherAnswer', changes })
    return { output }
  },

  onTime: timeOut,
}

import { formulaMaxChars } from '#shared/flows/formula/parse.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import type { AnswerKind } from '#shared/flows/nodes/question.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import {
  type Carried,
  type Carrying,
  type Content,
  carryText,
  goesOn,
  nothing,
  one,
  type TypebotLoss,
} from './typebot-carried.ts'
import { asObject, asText, itemKey, type Json, type TypebotBlock } from './typebot-file.ts'
import { formulaOf, looksWorkedOut } from './typebot-formula.ts'
import { http } from './typebot-http.ts'
import { bubble, isMedia, link } from './typebot-media.ts'
import { condition } from './typebot-rules.ts'
import { richTextOf } from './typebot-text.ts'

const answerKinds: Readonly<Record<string, AnswerKind>> = {
  'text input': 'text',
  'number input': 'number',
  'email input': 'email',
  'date input': 'date',
  'phone number input': 'phone',
  'url input': 'text',
  'time input': 'text',
  'rating input': 'number',
  'file input': 'file',
}
/** Typebot validates the format of these itself. */
const patterns: Readonly<Record<string, (options: Json) => string>> = {
  'url input': () => '(https?://)?[^ ]+[.][^ ]+',
  'time input': () => '([01]?[0-9]|2[0-3]):[0-5][0-9]',
  'rating input': ({ length, startsAt }) => {
    const to = Math.min(Math.max(Math.round(Number(length ?? 10)) || 10, 1), 10)
    const from = Number(startsAt) === 0 ? 0 : 1
    return Array.from({ length: to - from + 1 }, (_, i) => String(from + i)).join('|')
  },
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
/** The options of a Typebot input that a question here cannot express, such as a lower bound. */
const rulesOf = ({ type, options }: TypebotBlock): string[] => {
  const bounds = ['min', 'max', ...(type === 'number input' ? ['step'] : [])]
  const found = ['number input', 'date input'].includes(type) ? bounds.filter(name => isSaid(options[name])) : []
  const switches = ['isRange', 'hasTime', 'isMultipleAllowed'].filter(name => options[name] === true)
  const parts = ['attachments', 'audioClip', 'allowedFileTypes'].filter(
    name => asObject(options[name]).isEnabled === true,
  )
  return [...found, ...switches, ...parts]
}

/** An input without a text of its own uses the previous bubble's text as its question. */
export const isInput = ({ type }: TypebotBlock): boolean =>
  Object.hasOwn(answerKinds, type) || type === 'choice input' || type === 'picture choice input'

const question = (block: TypebotBlock, said: string, carrying: Carrying): Carried => {
  const { options, type } = block
  for (const rule of rulesOf(block)) carrying.lose('inputRule', rule)
  const pattern = Object.hasOwn(patterns, type) ? patterns[type]?.(options) : undefined
  const text = said || carryText(asText(asObject(options.labels).placeholder), carrying)
  if (!text) carrying.lose('textMissing')
  const retry = carryText(asText(options.retryMessageContent), carrying)
  return one(
    {
      type: 'question',
      text,
      expects: pattern ? 'pattern' : (answerKinds[type] ?? 'text'),
      attempts: 3,
      timeoutMs: 0,
      variable: carrying.names.of(options.variableId) ?? 'respuesta',
      ...(pattern ? { pattern } : {}),
      ...(retry ? { retryText: retry } : {}),
    },
    // Typebot repeats the question until the answer is valid.
    [...goesOn, { output: 'invalid', to: 'self' }],
  )
}

const lengthOf = (text: string): number => [...text].length

const choice = (block: TypebotBlock, said: string, carrying: Carrying): Carried => {
  const { options, items, id } = block
  const { lose, names, words } = carrying
  const isPictures = block.type === 'picture choice input'
  if (isPictures) lose('pictures')
  if (options.isMultipleChoice === true) lose('multiple')
  if (options.dynamicVariableId !== undefined || asObject(options.dynamicItems).isEnabled === true) lose('dynamic')
  if (items.length > flowLimits.options) lose('optionsCut', String(items.length - flowLimits.options))
  if (items.some(item => asObject(item.displayCondition).isEnabled === true)) lose('optionRule')
  if (!said) lose('textMissing')
  const kept = items.slice(0, flowLimits.options)
  const maxLetters = kept.length > outboundLimits.buttons ? outboundLimits.rowTitle : outboundLimits.buttonTitle
  const titleOf = (item: Json) => carryText(asText(isPictures ? item.title : item.content), carrying)
  for (const item of kept)
    if (lengthOf(titleOf(item).trim()) > maxLetters) lose('titleLong', titleOf(item).slice(0, 80))
  const variable = names.of(options.variableId)
  return one(
    {
      type: 'buttons',
      text: said,
      timeoutMs: 0,
      options: kept.map((item, i) => ({
        id: `o${i + 1}`,
        title: titleOf(item).slice(0, 80),
        ...(isPictures && asText(item.description) ? { description: asText(item.description).slice(0, 200) } : {}),
      })),
      ...(kept.length > 3 ? { listLabel: words.options } : {}),
      ...(variable ? { variable } : {}),
    },
    [
      ...kept.map((item, i) => ({
        output: `o${i + 1}`,
        to: [asText(item.outgoingEdgeId), itemKey(id, asText(item.id)), ''],
      })),
      { output: 'other', to: 'self' },
    ],
  )
}

const setTypes: Readonly<Record<string, string>> = {
  Empty: '',
  'Phone number': '{{contacto.telefono}}',
  'Contact name': '{{contacto.nombre}}',
}
/** Marks a text so that it is never a valid formula. */
const unreadable = (text: string): string => `? ${text}`.slice(0, formulaMaxChars)

const set = ({ options }: TypebotBlock, carrying: Carrying): Carried => {
  const variable = carrying.names.of(options.variableId)
  const kind = asText(options.type)
  const expression = asText(options.expressionToEvaluate)
  if (!variable) {
    carrying.lose('dropped', 'Set variable')
    return nothing
  }
  if (kind && kind !== 'Custom') {
    const known = Object.hasOwn(setTypes, kind) ? setTypes[kind] : undefined
    if (known !== undefined) return one({ type: 'set', variable, value: known })
    carrying.lose('valueUnknown', kind)
    return one({ type: 'set', variable, formula: true, value: '' })
  }
  if (options.isCode !== true && !looksWorkedOut(expression))
    return one({ type: 'set', variable, value: carryText(expression, carrying) })
  const written = carryText(expression, carrying)
  const formula = formulaOf(written)
  if (formula === undefined) carrying.lose('formula', expression.slice(0, 80))
  // An expression that cannot be converted prevents publishing until it is replaced.
  return one({ type: 'set', variable, formula: true, value: formula ?? unreadable(written) })
}

const wait = ({ options }: TypebotBlock, carrying: Carrying): Carried => {
  const text = asText(options.secondsToWaitFor).trim()
  const seconds = Math.ceil(Number(text))
  const isKnown = text !== '' && seconds > 0 && seconds <= 999 * 86_400
  if (!isKnown) carrying.lose('waitUnknown', text.slice(0, 80))
  const amount = isKnown ? seconds : 1
  if (amount <= 999) return one({ type: 'wait', ms: amount * 1000 })
  const minutes = Math.ceil(amount / 60)
  if (minutes <= 999) return one({ type: 'wait', ms: minutes * 60_000 })
  const hours = Math.ceil(amount / 3600)
  return one(
    hours <= 999
      ? { type: 'wait', ms: hours * 3_600_000 }
      : { type: 'wait', ms: Math.ceil(amount / 86_400) * 86_400_000 },
  )
}

const personInputs = new Set(['payment input', 'otp input', 'cards'])

const targetOf = (options: Json, carrying: Carrying): Carried => {
  const groupId = asText(options.groupId)
  if (groupId) return { steps: [], jumpsTo: { groupId, blockId: asText(options.blockId) || undefined } }
  carrying.lose('target')
  return nothing
}

const left = (block: TypebotBlock, carrying: Carrying): Carried => {
  carrying.lose('dropped', block.type || '?')
  return nothing
}

/** Losses that change what the flow does and that nothing else prevents from being published. */
const blocking: ReadonlySet<TypebotLoss> = new Set([
  ...([
    'dropped',
    'mediaMissing',
    'pictures',
    'optionsCut',
    'multiple',
    'dynamic',
    'optionRule',
    'waitUnknown',
  ] as const),
  ...([
    'asLink',
    'secret',
    'inputRule',
    'split',
    'target',
    'httpBody',
    'httpMethod',
    'httpPath',
    'textCut',
    'inputDropped',
  ] as const),
])

/** A step without text: it prevents publishing, so the author has to look at it and remove it. */
export const lookHere = (what: string): Content => ({
  type: 'message',
  text: '',
  name: `Typebot: ${what}`.slice(0, flowLimits.name),
})

/**
 * Converts a block. A loss is reported by an additional step before it. @param said the text of the bubble before it,
 * if it is an input
 */
export function carryBlock(block: TypebotBlock, said: string, carrying: Carrying): Carried {
  let isOther = false
  const lose: Carrying['lose'] = (what, detail) => {
    isOther ||= blocking.has(what)
    carrying.lose(what, detail)
  }
  const carried = carryAsIs(block, said, { ...carrying, lose })
  if (!isOther) return carried
  const content = lookHere(block.type || '?')
  if (!carried.steps.length) return { ...carried, steps: [{ content, ways: goesOn }] }
  // Its steps move back by one position.
  const behind = carried.steps.map(({ content, ways }) => ({
    content,
    ways: ways.map(({ output, to }) => ({
      output,
      to: Array.isArray(to) ? to.map(key => (key.startsWith('#') ? `#${Number(key.slice(1)) + 1}` : key)) : to,
    })),
  }))
  return { ...carried, steps: [{ content, ways: [{ output: 'next', to: ['#1'] }] }, ...behind] }
}

function carryAsIs(block: TypebotBlock, said: string, carrying: Carrying): Carried {
  const { type, options, content } = block
  if (type === 'start') return nothing
  if (type === 'text') {
    const text = carryText(richTextOf(content), carrying)
    return text ? one({ type: 'message', text }) : nothing
  }
  if (isMedia(block)) return bubble(block, carrying)
  if (Object.hasOwn(answerKinds, type)) return question(block, said, carrying)
  if (type === 'choice input' || type === 'picture choice input') return choice(block, said, carrying)
  if (personInputs.has(type)) {
    carrying.lose('inputDropped', type)
    return one({ type: 'handoff', note: `Typebot: ${type}`, ...(said ? { text: said } : {}) }, [])
  }
  switch (type) {
    case 'Set variable':
      return set(block, carrying)
    case 'Condition':
      return condition(block, carrying)
    case 'Redirect':
      return link(asText(options.url), carrying)
    case 'Wait':
      return wait(block, carrying)
    case 'Jump':
      return targetOf(options, carrying)
    case 'Typebot link':
      return options.typebotId === 'current' ? targetOf(options, carrying) : left(block, carrying)
    case 'Return':
      return one({ type: 'end' }, [])
    case 'AB test': {
      carrying.lose('split')
      const [first = {}] = block.items
      return one({ type: 'condition', all: true, rules: [] }, [
        { output: 'yes', to: [asText(first.outgoingEdgeId), itemKey(block.id, asText(first.id))] },
        {
          output: 'no',
          to: [asText(asObject(block.items[1]).outgoingEdgeId), itemKey(block.id, asText(asObject(block.items[1]).id))],
        },
      ])
    }
    case 'Webhook':
      return http(block, carrying)
    default:
      return left(block, carrying)
  }
}

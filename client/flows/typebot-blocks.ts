import { type AnswerKind, type FlowNode, type FlowRule, flowLimits, httpMethods } from '#shared/flow-graph.ts'
import { readPath } from '#shared/flow-json-path.ts'
import { asList, asObject, asText, itemKey, type Json, type TypebotBlock } from './typebot-file.ts'
import { type Names, textOf } from './typebot-text.ts'

/** What of a file could not be carried over as it was, or at all. */
const typebotLosses = [
  'dropped',
  'inputDropped',
  'asLink',
  'mediaMissing',
  'formula',
  'unknownVariable',
  'asText',
  'textMissing',
  'pictures',
  'optionsCut',
  'multiple',
  'dynamic',
  'optionRule',
  'rule',
  'valueUnknown',
  'waitUnknown',
  'split',
  'target',
  'secret',
  'httpBody',
  'httpMethod',
  'httpPath',
  'textCut',
] as const
export type TypebotLoss = (typeof typebotLosses)[number]

type Content<T = FlowNode> = T extends FlowNode ? Omit<T, 'id' | 'x' | 'y' | 'ends'> : never

/** A way out of a step: an edge of the file, or what follows the block. */
export interface Way {
  readonly output: string
  /** Keys of edges, the first that there is counts; `next`: what follows the block; `self`: it asks again. */
  readonly to: readonly string[] | 'next' | 'self'
}

/** What became of a block: steps, each of which goes on at its ways; the first is where others lead to. */
export interface Carried {
  readonly steps: readonly { readonly content: Content; readonly ways: readonly Way[] }[]
  /** Another block goes on there. */
  readonly jumpsTo?: { readonly groupId: string; readonly blockId: string | undefined }
}

export interface Carrying {
  readonly names: Names
  readonly words: { readonly options: string }
  lose(what: TypebotLoss, detail?: string): void
}

const goesOn: readonly Way[] = [{ output: 'next', to: 'next' }]
const nothing: Carried = { steps: [] }
const one = (content: Content, ways: readonly Way[] = goesOn): Carried => ({ steps: [{ content, ways }] })

const carryText = (text: string, { names, lose }: Carrying): string => {
  const carried = names.inText(text)
  for (const what of carried.lost) lose(what, text.slice(0, 80))
  if (carried.text.length >= flowLimits.text) lose('textCut', text.slice(0, 80))
  return carried.text
}

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
const looseAnswers = new Set(['url input', 'time input', 'rating input'])

/** An input without words of its own asks with what was said just before it. */
export const isInput = ({ type }: TypebotBlock): boolean =>
  Object.hasOwn(answerKinds, type) || type === 'choice input' || type === 'picture choice input'

const question = (block: TypebotBlock, said: string, carrying: Carrying): Carried => {
  const { options, type } = block
  if (looseAnswers.has(type)) carrying.lose('asText', type)
  const text = said || carryText(asText(asObject(options.labels).placeholder), carrying)
  if (!text) carrying.lose('textMissing')
  const retry = carryText(asText(options.retryMessageContent), carrying)
  return one(
    {
      ...{ type: 'question', text, answer: answerKinds[type] ?? 'text', attempts: 3, timeoutMinutes: 0 },
      variable: carrying.names.of(options.variableId) ?? 'respuesta',
      ...(retry ? { retryText: retry } : {}),
    },
    // It asks until it has an answer.
    [...goesOn, { output: 'invalid', to: 'self' }],
  )
}

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
  const variable = names.of(options.variableId)
  return one(
    {
      ...{ type: 'buttons', text: said, timeoutMinutes: 0 },
      options: kept.map((item, i) => ({
        id: `o${i + 1}`,
        title: carryText(asText(isPictures ? item.title : item.content), carrying).slice(0, 80),
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

const tests: Readonly<Record<string, Extract<FlowRule, { left: 'variable' }>['op']>> = {
  'Equal to': 'equals',
  'Not equal': 'notEquals',
  Contains: 'contains',
  'Starts with': 'startsWith',
  'Ends with': 'endsWith',
  'Greater than': 'greater',
  'Less than': 'less',
  'Is set': 'isSet',
  'Is empty': 'isEmpty',
}

/** A rule there is none of here names no variable: so it cannot be published before somebody has looked at it. */
const ruleOf = (value: unknown, carrying: Carrying): FlowRule => {
  const { variableId, comparisonOperator, value: compared } = asObject(value)
  const operator = asText(comparisonOperator)
  const op = Object.hasOwn(tests, operator) ? tests[operator] : undefined
  const name = carrying.names.of(variableId)
  if (!op || !name) carrying.lose('rule', operator)
  return {
    left: 'variable',
    name: op && name ? `flujo.${name}` : '',
    op: op ?? 'equals',
    ...(op === 'isSet' || op === 'isEmpty' ? {} : { value: carryText(asText(compared), carrying) }),
  }
}

const condition = ({ id, items }: TypebotBlock, carrying: Carrying): Carried => ({
  steps: items.map((item, i) => {
    const { logicalOperator, comparisons } = asObject(item.content)
    const rules = asList(comparisons).slice(0, flowLimits.rules)
    return {
      content: {
        type: 'condition',
        all: logicalOperator !== 'OR',
        rules: rules.map(rule => ruleOf(rule, carrying)),
      },
      ways: [
        { output: 'yes', to: [asText(item.outgoingEdgeId), itemKey(id, asText(item.id))] },
        { output: 'no', to: i === items.length - 1 ? 'next' : [`#${i + 1}`] },
      ],
    }
  }),
})

const setTypes: Readonly<Record<string, string>> = {
  Empty: '',
  'Phone number': '{{contacto.telefono}}',
  'Contact name': '{{contacto.nombre}}',
}
/** Something to be worked out: Typebot runs it as a program where it is one. */
const looksWorkedOut = (text: string): boolean =>
  !/^https?:\/\/\S+$/.test(text) && /[()=;`]|\}\}\s*[-+*/%]|[-+*/%]\s*\{\{|=>|\breturn\b/.test(text)

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
    if (known === undefined) carrying.lose('valueUnknown', kind)
    return one({ type: 'set', variable, value: known ?? '' })
  }
  if (options.isCode === true || looksWorkedOut(expression)) carrying.lose('formula', expression.slice(0, 80))
  return one({ type: 'set', variable, value: carryText(expression, carrying) })
}

const wait = ({ options }: TypebotBlock, carrying: Carrying): Carried => {
  const text = asText(options.secondsToWaitFor).trim()
  const seconds = Math.ceil(Number(text))
  const isKnown = text !== '' && seconds > 0 && seconds <= 999 * 86_400
  if (!isKnown) carrying.lose('waitUnknown', text.slice(0, 80))
  const amount = isKnown ? seconds : 1
  if (amount <= 999) return one({ type: 'wait', amount, unit: 'seconds' })
  const minutes = Math.ceil(amount / 60)
  if (minutes <= 999) return one({ type: 'wait', amount: minutes, unit: 'minutes' })
  const hours = Math.ceil(amount / 3600)
  return one(
    hours <= 999
      ? { type: 'wait', amount: hours, unit: 'hours' }
      : { type: 'wait', amount: Math.ceil(amount / 86_400), unit: 'days' },
  )
}

/** Names of headers and parameters whose values nobody but the service may read. */
const isSecret = (name: string): boolean => /auth|token|secret|api.?key|password|cookie/i.test(name)

const http = ({ options }: TypebotBlock, carrying: Carrying): Carried => {
  const call = asObject(options.webhook)
  const pairs = (value: unknown) =>
    asList(value)
      .map(asObject)
      .map(pair => {
        const name = asText(pair.key).slice(0, 100)
        const hides = isSecret(name) && asText(pair.value) !== ''
        if (hides) carrying.lose('secret', name)
        return { name, value: hides ? '' : carryText(asText(pair.value), carrying).slice(0, 1024) }
      })
      .filter(({ name }) => name)
      .slice(0, flowLimits.pairs)
  const written = asText(call.method) || 'POST'
  const method = httpMethods.find(known => known === written)
  if (!method) carrying.lose('httpMethod', written)
  const query = pairs(call.queryParams)
    .map(({ name, value }) => `${encodeURIComponent(name)}=${value}`)
    .join('&')
  const url = carryText(asText(call.url), carrying).trim()
  const hasBody = method !== undefined && method !== 'GET'
  const body = hasBody && options.isCustomBody === true ? carryText(asText(call.body), carrying) : ''
  if (hasBody && !body) carrying.lose('httpBody')
  const map = asList(options.responseVariableMapping)
    .map(asObject)
    .flatMap(({ variableId, bodyPath }) => {
      const variable = carrying.names.of(variableId)
      const from = asText(bodyPath)
      const path = from === 'data' ? '$' : from.replace(/^data\.(?=.)/, '').slice(0, 200)
      if (!variable || from === 'statusCode' || !readPath(path)) {
        carrying.lose('httpPath', from)
        return []
      }
      return [{ variable, path }]
    })
    .slice(0, flowLimits.kept)
  const seconds = typeof options.timeout === 'number' ? options.timeout : 10
  return one({
    ...{ type: 'http', method: method ?? 'GET', headers: pairs(call.headers), form: [], map, body },
    url: (query ? `${url}${url.includes('?') ? '&' : '?'}${query}` : url).slice(0, flowLimits.url),
    send: body ? 'json' : 'nothing',
    timeoutMs: Math.min(Math.max(seconds, 1) * 1000, flowLimits.callMs),
    mock: { status: 200, body: '' },
  })
}

const media = new Set(['image', 'video', 'audio', 'embed'])
const personInputs = new Set(['payment input', 'otp input', 'cards'])

const link = (address: string, carrying: Carrying): Carried => {
  const text = carryText(address, carrying)
  if (!text) {
    carrying.lose('mediaMissing')
    return nothing
  }
  carrying.lose('asLink', text.slice(0, 80))
  return one({ type: 'message', text })
}

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

/** @param said what the bubble before it says, where it is an input */
export function carryBlock(block: TypebotBlock, said: string, carrying: Carrying): Carried {
  const { type, options, content } = block
  if (type === 'start') return nothing
  if (type === 'text') {
    const text = carryText(textOf(content), carrying)
    return text ? one({ type: 'message', text }) : nothing
  }
  if (media.has(type)) return link(asText(content.url), carrying)
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

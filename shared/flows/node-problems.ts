import { captionMaxChars, takesCaption } from '#shared/media/sent-files.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { readFormula } from './formula.ts'
import { FormulaFault, formulaVariables } from './formula-parse.ts'
import type { FlowGraph, FlowNode, FlowRule, NodeOf, TemplateChoice } from './graph.ts'
import { isSecretReference } from './http.ts'
import { httpProblems } from './http-problems.ts'
import { asksPattern } from './patterns.ts'
import type { FlowFacts, Found } from './problem.ts'
import { mostInside, mostJoined, reachedFrom } from './subflows.ts'
import { canBeSent, neededValues } from './templates.ts'
import type { FlowTrigger } from './triggers.ts'
import { variablesIn, withoutVariables } from './variables.ts'

/** Of one text. */
const mostUnknownNamed = 5

/** Characters that are there whatever its variables hold: what becomes too long with them is cut when it is said. */
const lengthOf = (text: string): number => [...withoutVariables(text)].length

/** Variables that some node of the graph gives a value. */
export const ownVariables = (graph: FlowGraph): string[] => {
  const names = graph.nodes.flatMap(node => {
    if (node.type === 'question') return [node.variable]
    if (node.type === 'set') return node.contact ? [] : [node.variable]
    if (node.type === 'http') return node.map.map(({ variable }) => variable)
    return node.type === 'buttons' && node.variable ? [node.variable, `${node.variable}_id`] : []
  })
  return [...new Set(names.filter(Boolean))].sort()
}

/** Variables that whatever begins a flow may bring along. */
export const broughtVariables = (triggers: readonly FlowTrigger[]): string[] =>
  triggers.flatMap(trigger => (trigger.kind === 'webhook' ? trigger.variables : [])).filter(Boolean)

const textLimitOf = (node: FlowNode): number => {
  if (node.type === 'message' && node.media) return captionMaxChars
  if (node.type !== 'buttons') return outboundLimits.text
  return node.options.length > outboundLimits.buttons ? outboundLimits.listBody : outboundLimits.interactiveBody
}

const choiceTexts = (choice: TemplateChoice | undefined, field: string): [string, string, boolean][] =>
  Object.entries(choice?.values ?? {}).map(([at, text]) => [`${field}.${at}`, text, false])

/** The fields of a node that a customer reads, or that become a value. */
const textsOf = (node: FlowNode): [field: string, text: string, isNeeded: boolean][] => {
  switch (node.type) {
    case 'message':
      return [
        ['text', node.text, !node.media],
        ['media', node.media?.name ?? '', false],
        ...choiceTexts(node.fallback, 'fallback'),
      ]
    case 'buttons':
      return [
        ['text', node.text, true],
        ...node.options.flatMap(({ id, title, description = '' }): [string, string, boolean][] => [
          [`options.${id}`, title, false],
          [`options.${id}`, description, false],
        ]),
        ['listLabel', node.listLabel ?? '', false],
        ...choiceTexts(node.fallback, 'fallback'),
      ]
    case 'template':
      return choiceTexts(node, 'values')
    case 'question':
      return [
        ['text', node.text, true],
        ['retryText', node.retryText ?? '', false],
        ...choiceTexts(node.fallback, 'fallback'),
      ]
    case 'http':
      return [
        ['url', node.url, false],
        ...node.headers.map(({ value }, i): [string, string, boolean] => [`headers.${i}`, value, false]),
        ...(node.send === 'json' ? [['body', node.body, false] as [string, string, boolean]] : []),
        ...(node.send === 'form'
          ? node.form.map(({ value }, i): [string, string, boolean] => [`form.${i}`, value, false])
          : []),
      ]
    case 'set':
      return node.formula && !node.contact ? [] : [['value', node.value, false]]
    case 'handoff':
      return [
        ['text', node.text ?? '', false],
        ['note', node.note ?? '', false],
      ]
    default:
      return []
  }
}

const optionProblems = (node: NodeOf<'buttons'>): Found[] => {
  const isList = node.options.length > outboundLimits.buttons
  const limit = isList ? outboundLimits.rowTitle : outboundLimits.buttonTitle
  const titles = new Set<string>()
  const found: Found[] = node.options.length ? [] : [{ field: 'options', code: 'optionsMissing' }]
  for (const { id, title, description = '' } of node.options) {
    const field = `options.${id}`
    const shown = title.trim()
    const length = lengthOf(shown)
    if (!shown) found.push({ field, code: 'titleMissing' })
    else if (length > limit) found.push({ field, code: 'titleTooLong', params: { limit, length } })
    else if (titles.has(shown)) found.push({ field, code: 'titleTwice', params: { title: shown } })
    titles.add(shown)
    if (isList && lengthOf(description) > outboundLimits.rowDescription)
      found.push({
        field,
        code: 'descriptionTooLong',
        params: { limit: outboundLimits.rowDescription, length: lengthOf(description) },
      })
  }
  if (new Set(node.options.map(({ id }) => id)).size < node.options.length)
    found.push({ field: 'options', code: 'idTwice' })
  const label = node.listLabel?.trim() ?? ''
  if (isList && !label) found.push({ field: 'listLabel', code: 'listLabelMissing' })
  if (isList && lengthOf(label) > outboundLimits.buttonTitle)
    found.push({
      field: 'listLabel',
      code: 'listLabelTooLong',
      params: { limit: outboundLimits.buttonTitle, length: lengthOf(label) },
    })
  return found
}

/** `below`: what its values' fields begin with. */
const templateProblems = (choice: TemplateChoice, field: string, below: string, { templates }: FlowFacts): Found[] => {
  const { template: name, language, values } = choice
  if (!name) return [{ field, code: 'templateMissing' }]
  const found = templates?.find(one => one.name === name && one.language === language)
  if (!found) return templates ? [{ field, code: 'templateGone', params: { name } }] : []
  if (found.status !== 'APPROVED') return [{ field, code: 'templateNotApproved', params: { name } }]
  if (!canBeSent(found.components)) return [{ field, code: 'templateNotHere', params: { name } }]
  return neededValues(found.components).flatMap(({ at, name }) =>
    values[at]?.trim() ? [] : [{ field: `${below}.${at}`, code: 'templateValueMissing', params: { name } }],
  )
}

/** Meta takes no address without a name of its own. */
const isPublic = (url: string): boolean =>
  /^https:\/\/[^\s{}]+$/.test(url) && URL.canParse(url) && !/^[\d.]+$|^\[/.test(new URL(url).hostname)

const mediaProblems = ({ media, text }: NodeOf<'message'>): Found[] => {
  if (!media) return []
  const found: Found[] = isPublic(media.url) ? [] : [{ field: 'media', code: 'mediaAddress' }]
  return text.trim() && !takesCaption(media.kind) ? [...found, { field: 'text', code: 'mediaCaption' }] : found
}

const subflowProblems = (called: string, { flowId, flows }: FlowFacts): Found[] => {
  const field = 'flowId'
  if (!called) return [{ field, code: 'flowMissing' }]
  const reached = reachedFrom([called], flows)
  if (reached.has(flowId)) return [{ field, code: 'flowCycle' }]
  if (!flows.some(({ id }) => id === called)) return [{ field, code: 'flowUnknown' }]
  const isDeep = Math.max(...reached.values()) > mostInside || reached.size > mostJoined
  return isDeep ? [{ field, code: 'flowTooDeep', params: { limit: mostInside } }] : []
}

/** Empty ones are none. */
export const patternProblems = (pattern: string, field: string, { patternFault }: FlowFacts): Found[] => {
  const fault = pattern ? patternFault?.(pattern) : 'unreadable'
  if (fault === 'unreadable') return [{ field, code: 'patternInvalid' }]
  return fault === 'tooLarge' ? [{ field, code: 'patternTooLarge' }] : []
}

const ruleProblems = (rule: FlowRule, field: string, facts: FlowFacts, names: ReadonlySet<string>): Found[] => {
  if (rule.left === 'tag') return facts.tagIds.includes(rule.tagId) ? [] : [{ field, code: 'tagUnknown' }]
  if (rule.left === 'hours' || rule.left === 'window') return []
  if (!names.has(rule.name)) return [{ field, code: 'variableUnknown', params: { name: rule.name } }]
  const needsValue = rule.op !== 'isSet' && rule.op !== 'isEmpty'
  if (needsValue && !rule.value?.trim()) return [{ field, code: 'valueMissing' }]
  return asksPattern(rule) ? patternProblems(rule.value ?? '', field, facts) : []
}

const formulaProblems = (text: string, names: ReadonlySet<string>): Found[] => {
  const field = 'value'
  if (!text.trim()) return [{ field, code: 'formulaMissing' }]
  const formula = readFormula(text)
  if (formula instanceof FormulaFault) return [{ field, code: 'formulaInvalid', params: { at: formula.at } }]
  const unknown = new Set(formulaVariables(formula).filter(name => !names.has(name)))
  return [...unknown].slice(0, mostUnknownNamed).map(name => ({ field, code: 'variableUnknown', params: { name } }))
}

/** What is wrong with one node by itself. */
export const nodeProblems = (
  node: FlowNode,
  graph: FlowGraph,
  facts: FlowFacts,
  names: ReadonlySet<string>,
): Found[] => {
  const found: Found[] = []
  for (const [field, text, isNeeded] of textsOf(node)) {
    const limit = textLimitOf(node)
    const length = lengthOf(text)
    if (isNeeded && !text.trim()) found.push({ field, code: 'textMissing' })
    else if (length > limit) found.push({ field, code: 'textTooLong', params: { limit, length } })
    const unknown = [...new Set(variablesIn(text))].filter(
      name => !names.has(name) && !(node.type === 'http' && isSecretReference(name)),
    )
    for (const name of unknown.slice(0, mostUnknownNamed))
      found.push({ field, code: 'variableUnknown', params: { name } })
  }
  if ('fallback' in node && node.fallback) found.push(...templateProblems(node.fallback, 'fallback', 'fallback', facts))
  switch (node.type) {
    case 'message':
      found.push(...mediaProblems(node))
      break
    case 'template':
      found.push(...templateProblems(node, 'template', 'values', facts))
      break
    case 'question':
      if (!node.variable) found.push({ field: 'variable', code: 'variableMissing' })
      if (node.answer === 'pattern') found.push(...patternProblems(node.pattern ?? '', 'pattern', facts))
      break
    case 'buttons':
      found.push(...optionProblems(node))
      break
    case 'set':
      if (node.contact) {
        if (!node.value.trim()) found.push({ field: 'value', code: 'contactValueMissing' })
      } else if (!node.variable) found.push({ field: 'variable', code: 'variableMissing' })
      if (node.formula && !node.contact) found.push(...formulaProblems(node.value, names))
      break
    case 'condition':
      if (!node.rules.length) found.push({ field: 'rules', code: 'rulesMissing' })
      found.push(...node.rules.flatMap((rule, i) => ruleProblems(rule, `rules.${i}`, facts, names)))
      break
    case 'tag':
      if (!facts.tagIds.includes(node.tagId)) found.push({ field: 'tagId', code: 'tagUnknown' })
      break
    case 'goto':
      if (!graph.nodes.some(({ id, type }) => id === node.nodeId && type !== 'goto'))
        found.push({ field: 'nodeId', code: 'targetUnknown' })
      break
    case 'http':
      found.push(...httpProblems(node, facts))
      break
    case 'subflow':
      found.push(...subflowProblems(node.flowId, facts))
      break
    case 'handoff':
      if (node.teamId && !facts.teamIds.includes(node.teamId)) found.push({ field: 'teamId', code: 'teamUnknown' })
      if (node.memberId && !facts.memberIds.includes(node.memberId))
        found.push({ field: 'memberId', code: 'memberUnknown' })
      break
  }
  return found.map(one => ({ ...one, nodeId: node.id }))
}

import type { TFunction } from 'i18next'
import type { FlowGraph, FlowNode, FlowRule, TemplateChoice } from '#shared/flows/graph.ts'
import type { FlowTrigger } from '#shared/flows/triggers.ts'

export type FlowsT = TFunction<'flows'>

/** Names of what a flow points to. */
export interface FlowNames {
  readonly tags: ReadonlyMap<string, string>
  readonly teams: ReadonlyMap<string, string>
  readonly members: ReadonlyMap<string, string>
  readonly flows: ReadonlyMap<string, string>
  /** The last bulk sends. */
  readonly sends: ReadonlyMap<string, string>
  /** What approved templates say, by name and language; empty where no step has one. */
  readonly templates: ReadonlyMap<string, string>
}

const cut = (text: string, max: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line
}

/** What a step is called: its own name, else its kind. */
export const titleOf = (t: FlowsT, node: FlowNode): string => node.name || t(`node.${node.type}`)

/** What an output means; an option's is what the customer reads. */
export const outputLabel = (t: FlowsT, node: FlowNode, output: string): string => {
  if (node.type === 'buttons') {
    const place = node.options.findIndex(({ id }) => id === output)
    if (place !== -1) return node.options[place]?.title || t('output.option', { number: place + 1 })
  }
  return t(`output.${output as 'next'}`, { defaultValue: output })
}

const ruleText = (t: FlowsT, rule: FlowRule, names: FlowNames): string => {
  switch (rule.left) {
    case 'variable':
      return t(`ruleText.${rule.op}`, { name: rule.name || '…', value: rule.value || '…' })
    case 'tag':
      return t(`ruleText.${rule.op}`, { tag: names.tags.get(rule.tagId) ?? '…' })
    case 'hours':
    case 'window':
      return t(`ruleText.${rule.op}`)
  }
}

export const templateKey = ({ template, language }: Pick<TemplateChoice, 'template' | 'language'>): string =>
  `${template} ${language}`

/** What the customer reads of a step that is known by something else: a template's text, a word before a person comes. */
export const spokenBeside = (node: FlowNode, names: FlowNames): string => {
  if (node.type === 'handoff') return node.text?.trim() ?? ''
  if (node.type !== 'template') return ''
  const text = names.templates.get(templateKey(node)) ?? ''
  return text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => node.values[`body.${name}`]?.trim() || place)
}

/** What a step says or does, as a text; empty where its kind says it all. */
export function sayingOf(t: FlowsT, node: FlowNode, names: FlowNames): string {
  switch (node.type) {
    case 'message':
      return node.text || (node.media ? t(`media.${node.media.kind}`) : '')
    case 'question':
    case 'buttons':
      return node.text
    case 'template':
      return node.template
    case 'condition':
      return node.rules.map(rule => ruleText(t, rule, names)).join(t(node.all ? 'ruleText.and' : 'ruleText.or'))
    case 'set':
      if (node.contact) return t(`says.contact.${node.contact}`, { value: node.value || '…' })
      return node.variable ? t('says.set', { name: node.variable, value: node.value || '…' }) : ''
    case 'tag':
      return t(`says.tag.${node.action}`, { tag: names.tags.get(node.tagId) ?? '…' })
    case 'wait':
      return node.until ? t('says.until', { time: node.until }) : t(`says.wait.${node.unit}`, { count: node.amount })
    case 'http':
      return node.url ? `${node.method} ${node.url}` : ''
    case 'subflow':
      return names.flows.get(node.flowId) ?? ''
    case 'handoff': {
      const to = node.memberId
        ? names.members.get(node.memberId)
        : node.teamId
          ? names.teams.get(node.teamId)
          : undefined
      return to ? t('says.handoffTo', { name: to }) : t('says.handoff')
    }
    default:
      return ''
  }
}

/** Where a jump leads; empty where it leads nowhere. */
export const jumpText = (t: FlowsT, node: FlowNode, { nodes }: Pick<FlowGraph, 'nodes'>): string => {
  const target = node.type === 'goto' ? nodes.find(({ id }) => id === node.nodeId) : undefined
  if (!target) return ''
  const says = 'text' in target ? cut(target.text ?? '', 40) : ''
  return t('outline.joins', { step: says ? `${titleOf(t, target)}: ${says}` : titleOf(t, target) })
}

/** What a step says in one short line. */
export const summaryOf = (t: FlowsT, node: FlowNode, names: FlowNames): string => cut(sayingOf(t, node, names), 90)

/** How a step is named where several are listed: `Mensaje: Hola, soy…`. */
export const listedAs = (t: FlowsT, node: FlowNode, names: FlowNames): string => {
  const says = cut(sayingOf(t, node, names), 40)
  return says ? `${titleOf(t, node)}: ${says}` : titleOf(t, node)
}

/** What starts a flow, in one line. */
export const triggerText = (
  t: FlowsT,
  trigger: FlowTrigger,
  names: Pick<FlowNames, 'tags'> & Partial<Pick<FlowNames, 'sends'>>,
): string => {
  switch (trigger.kind) {
    case 'keyword':
      return t(`triggerText.${trigger.match}`, { words: trigger.words.filter(Boolean).join(', ') || '…' })
    case 'reopened':
      return t('triggerText.reopened', { count: trigger.afterHours })
    case 'campaign': {
      const send = trigger.sendId === undefined ? undefined : names.sends?.get(trigger.sendId)
      return send ? t('triggerText.campaignOf', { send }) : t('triggerText.campaign')
    }
    case 'tagAdded':
    case 'tagRemoved':
      return t(`triggerText.${trigger.kind}`, { tag: names.tags.get(trigger.changedTagId) ?? '…' })
    default:
      return t(`triggerText.${trigger.kind}`)
  }
}

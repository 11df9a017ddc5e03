import type { TFunction } from 'i18next'
import { type FlowGraph, type FlowNode, nodeKind, outputsOf } from '#shared/flows/graph.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import { builtInVariables } from '#shared/flows/variables.ts'

export type FlowsT = TFunction<'flows'>

/** `text` on one line of at most `max` characters. */
export const cut = (text: string, max: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line
}

/** Names a variable to people: `Nombre` for `contacto.nombre|cliente`, `Fecha de entrega` for `flujo.fecha_de_entrega`. */
export const variableName = (t: FlowsT, written: string): string => {
  const name = written.replace(/\|.*$/s, '').trim()
  const words = name.slice(name.lastIndexOf('.') + 1).replaceAll('_', ' ')
  const plain = words.charAt(0).toUpperCase() + words.slice(1)
  return builtInVariables.includes(name) ? t(`variable.${name as 'ultimo_mensaje'}`, { defaultValue: plain }) : plain
}

/** A text with the names of its variables in their places. */
export const withVariableNames = (t: FlowsT, text: string): string =>
  text.replace(/\{\{([^{}]*)\}\}/g, (_, written: string) => variableName(t, written))

/** A step's own name, otherwise its kind. */
export const titleOf = (t: FlowsT, node: FlowNode): string => node.name || t(`node.${node.type}`)

/** `titleOf` for a place of some ten letters, such as `Persona` for a handoff. */
export const shortTitleOf = (t: FlowsT, node: FlowNode): string =>
  node.name || t(`nodeShort.${node.type as 'handoff'}`, { defaultValue: t(`node.${node.type}`) })

/** The label of an output: its author's, otherwise its kind's. */
export const outputLabel = (t: FlowsT, node: FlowNode, output: string): string => {
  const name = nodeKind(node).outputName?.(node, output)
  if (name !== undefined) return name || t('output.option', { number: outputsOf(node).indexOf(output) + 1 })
  return t(`output.${output as 'next'}`, { defaultValue: output })
}

/** The target of a jump; empty: none. */
export const jumpText = (t: FlowsT, node: FlowNode, { nodes }: Pick<FlowGraph, 'nodes'>): string => {
  const { jumpsTo } = nodeKind(node)
  const target = jumpsTo && nodes.find(({ id }) => id === jumpsTo(node))
  if (!target) return ''
  const says = cut(withVariableNames(t, nodeKind(target).messageText?.(target) ?? ''), 40)
  return t('outline.joins', { step: says ? `${titleOf(t, target)}: ${says}` : titleOf(t, target) })
}

/** The flow's triggers, in one line. */
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

import { flowLimits } from '#shared/flows/limits.ts'
import { variableNameOf } from '../forms/variable-name.ts'
import { asList, asObject, asText, type Json } from './typebot-file.ts'

/** Maps Typebot variables to valid names. */
export interface Names {
  /** The name of a variable by its id; undefined: the file has no such variable. */
  of(id: unknown): string | undefined
  /** A text with renamed variables. `formula`: it also contained an expression. */
  inText(text: string): { text: string; lost: readonly ('formula' | 'unknownVariable')[] }
}

const maxDepth = 12
const reserved = /^(?:flujo|contacto|org|agente|secret)$/

/** Equal names are numbered. */
export function uniqueNames(variables: ReadonlyMap<string, string>): Names {
  const byId = new Map<string, string>()
  const byName = new Map<string, string>()
  const taken = new Set<string>()
  for (const [id, name] of variables) {
    if (byId.has(id)) continue
    const known = byName.get(name)
    const plain = variableNameOf(name).slice(0, 36) || 'dato'
    let own = reserved.test(plain) ? `${plain}_dato` : plain
    for (let n = 2; known === undefined && taken.has(own); n += 1) own = `${plain}_${n}`
    taken.add(known ?? own)
    byId.set(id, known ?? own)
    byName.set(name, known ?? own)
  }
  const unknown = (name: string): string => {
    let own = `sin_${name}`
    for (let n = 2; taken.has(own); n += 1) own = `sin_${name}_${n}`
    return `{{flujo.${own}}}`
  }
  return {
    of: id => (typeof id === 'string' ? byId.get(id) : undefined),
    inText(text) {
      const lost = new Set<'formula' | 'unknownVariable'>()
      const written = text.replace(/\{\{(=?)([^{}]{0,2000})\}\}/g, (_, formula: string, inside: string) => {
        // An unknown variable prevents publishing until somebody has looked at it.
        if (formula) {
          lost.add('formula')
          return unknown('formula')
        }
        const known = byName.get(inside.trim())
        if (known !== undefined) return `{{flujo.${known}}}`
        lost.add('unknownVariable')
        return unknown(variableNameOf(inside).slice(0, 30) || 'dato')
      })
      return { text: written.slice(0, flowLimits.text), lost: [...lost] }
    },
  }
}

/** WhatsApp's formatting marks must be next to the words, not next to spaces. */
const marked = (text: string, mark: string): string => {
  const inner = text.trim()
  return inner ? text.replace(inner, () => `${mark}${inner}${mark}`) : text
}

const leafText = (leaf: Json): string => {
  let text = asText(leaf.text)
  if (leaf.bold === true) text = marked(text, '*')
  if (leaf.italic === true) text = marked(text, '_')
  if (leaf.strikethrough === true) text = marked(text, '~')
  return text
}

const inline = (value: unknown, depth: number): string => {
  const part = asObject(value)
  if (typeof part.text === 'string') return leafText(part)
  if (depth > maxDepth) return ''
  const text = asList(part.children)
    .map(child => inline(child, depth + 1))
    .join('')
  const url = asText(part.url)
  return part.type === 'a' && url && url !== text ? `${text} (${url})` : text
}

const blocksOf = (value: unknown, depth: number): string[] => {
  const part = asObject(value)
  if (depth > maxDepth) return []
  const children = asList(part.children)
  if (part.type === 'ul' || part.type === 'ol')
    return children.flatMap((child, i) => {
      const text = inline(child, depth + 1).trim()
      return text ? [`${part.type === 'ol' ? `${i + 1}.` : '•'} ${text}`] : []
    })
  const isHeading = /^h[1-6]$/.test(asText(part.type))
  const text = inline(part, depth)
  return [isHeading ? marked(text, '*') : text]
}

/** The text of a bubble in WhatsApp's formatting. */
export function richTextOf(content: Json): string {
  if (Array.isArray(content.richText))
    return content.richText
      .flatMap(part => blocksOf(part, 0))
      .join('\n')
      .trim()
  const plain = asText(content.plainText)
  if (plain) return plain.trim()
  return asText(content.html)
    .replace(/<br\s*\/?>|<\/(?:p|div|li)>/gi, '\n')
    .replace(/<[^<>]{0,500}>/g, '')
    .trim()
}

import { plainText } from './flow-triggers.ts'

/** What a customer in a flow may write at any time: to begin again, to leave, to have a person. */
export type FlowWord = 'restart' | 'leave' | 'person'

const words: Readonly<Record<string, FlowWord>> = {
  menu: 'restart',
  salir: 'leave',
  agente: 'person',
  humano: 'person',
  asesor: 'person',
  persona: 'person',
}

/** Undefined: it is none of them. A message of that word alone counts, whatever its case, accents and punctuation. */
export const flowWordOf = (text: string): FlowWord | undefined => {
  if (text.length > 40) return undefined
  const said = plainText(text).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return Object.hasOwn(words, said) ? words[said] : undefined
}

/** What a customer writes who means it. */
export const wordFor = (wanted: FlowWord): string => Object.keys(words).find(word => words[word] === wanted) as string

import { Type } from 'typebox'
import { flowLimits, waitUnitMs } from '../limits.ts'
import { type ContentOf, Fallback, type TemplateChoice, Text, TimeoutMs, VariableName, withFallback } from './fields.ts'
import type { NodeKind } from './kind.ts'
import { patternProblems } from './pattern-problems.ts'
import { choiceProblems, choiceTexts } from './template-choice.ts'

export const answerKinds = ['text', 'number', 'email', 'date', 'phone', 'pattern', 'file', 'location'] as const
export type AnswerKind = (typeof answerKinds)[number]

export const questionFields = {
  text: Type.Optional(Text),
  expects: Type.Optional(Type.Enum(answerKinds, { description: 'Absent: any text.' })),
  pattern: Type.Optional(Type.String({ maxLength: flowLimits.patternChars, description: 'Of `expects: pattern`.' })),
  variable: Type.Optional(VariableName),
  retryText: Type.Optional(Text),
  fallback: Fallback,
  attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: flowLimits.attempts, description: 'Absent: 3.' })),
  timeoutMs: Type.Optional(TimeoutMs),
}
type Question = Omit<
  ContentOf<typeof questionFields, 'text' | 'expects' | 'variable' | 'attempts' | 'timeoutMs'>,
  'fallback'
> & { readonly fallback?: TemplateChoice }

export const question: NodeKind<Question> = {
  icon: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9.500 9.500a2.5 2.5 0 1 1 3.600 2.200c-.8.400-1.100.9-1.100 1.800M12 16.500v.2',
  tone: 'asks',
  summary: ({ text }) => text,
  defaults: { text: '', expects: 'text', variable: '', attempts: 3, timeoutMs: 0 },
  read: withFallback,
  outputs: ({ timeoutMs }) => ['next', 'invalid', ...(timeoutMs ? ['timeout'] : [])],
  waits: true,
  breaksLoops: true,
  sendsMessage: true,
  messageText: ({ text }) => text,
  texts: ({ text, retryText, fallback }) => [
    { field: 'text', text, isRequired: true },
    { field: 'retryText', text: retryText ?? '' },
    ...choiceTexts(fallback, 'fallback'),
  ],
  problems({ variable, expects, pattern = '', fallback }, { facts }) {
    const found = choiceProblems(fallback, 'fallback', 'fallback', facts)
    if (!variable) found.push({ field: 'variable', code: 'variableMissing' })
    if (expects === 'pattern') found.push(...patternProblems(pattern, 'pattern', facts))
    return found
  },
  uses: ({ variable, expects, pattern = '', fallback }) => ({
    sets: [variable],
    ...(fallback ? { templates: [fallback] } : {}),
    ...(expects === 'pattern' ? { patterns: [{ field: 'pattern', pattern }] } : {}),
  }),
  silentMinutes: ({ timeoutMs }, output, before) =>
    output === 'timeout' ? before + timeoutMs / waitUnitMs.minutes : 0,
}

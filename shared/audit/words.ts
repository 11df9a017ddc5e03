import { bulkSendStates } from '#shared/bulk-sends/states.ts'
import { assignmentWays } from '#shared/inbox/assignment.ts'
import { languages } from '#shared/kernel/language.ts'
import { isPlainSetting, plainSettingField } from '#shared/orgs/setting-fields.ts'
import { reportRhythms } from '#shared/stats/report.ts'
import { templateCategories, templateStatuses } from '#shared/templates/words.ts'
import type { AuditFact } from './api.ts'

const isOrNot = ['0', '1'] as const
const yesOrNo = new Set<AuditFact>(['required', 'granted', 'confirms', 'toLast', 'conversations', 'teams', 'active'])
const times = new Set<AuditFact>(['expiresAt', 'verifiedAt', 'startsAt', 'deletesAt', 'sealedAt'])

/** Times may differ by less than is shown. */
export const isAuditTime = (fact: AuditFact): boolean => times.has(fact)

/** Values that are codes, by fact; each has a text `audit:value.{fact}.{code}`. */
export const auditCodes = {
  status: [
    ...bulkSendStates,
    ...templateStatuses,
    // Of a number.
    'connected',
    'reauthorise',
    // Of an invitation.
    'pending',
    'accepted',
    'rejected',
    'canceled',
    // Of an import.
    'done',
    'stopped',
    'failed',
    // Of a flow.
    'on',
    'off',
    'draft',
    // Of an identity provider.
    ...isOrNot,
  ],
  role: ['owner', 'admin', 'member', 'developer', 'viewer', 'billing'],
  language: languages,
  way: assignmentWays,
  category: templateCategories,
  rhythm: reportRhythms,
} as const satisfies Partial<Record<AuditFact, readonly string[]>>

const codesOf = (fact: AuditFact): readonly string[] =>
  (auditCodes as Partial<Record<AuditFact, readonly string[]>>)[fact] ?? []

/** The text that names a fact. */
export const auditFactLabel = (fact: AuditFact) =>
  isPlainSetting(fact) ? (`org-settings:${fact}.label` as const) : (`audit:fact.${fact}` as const)

/**
 * A fact's value in words. Several numbers, separated by commas, are formatted one by one.
 * @param say the text of a key below `audit:value`
 * @param sayTime a time in the reader's zone
 */
export function auditValueText(
  fact: AuditFact,
  value: string,
  { say, sayTime }: { say(key: string): string; sayTime(iso: string): string },
): string {
  if (yesOrNo.has(fact)) return say(Number(value) ? 'yes' : 'no')
  const display = isPlainSetting(fact) ? plainSettingField(fact).display : undefined
  if (display) return display(value)
  if (times.has(fact)) return Number.isNaN(Date.parse(value)) ? value : sayTime(value)
  const codes = codesOf(fact)
  if (!codes.length) return value
  return value
    .split(', ')
    .map(one => (codes.includes(one) ? say(`${fact}.${one}`) : one))
    .join(', ')
}

/** A change in words: `borrador → encendido`, or only the new value if there was none. */
export function auditChangeText(
  { fact, before, after }: { readonly fact: AuditFact; readonly before: string | null; readonly after: string | null },
  words: { say(key: string): string; sayTime(iso: string): string; nothing: string },
): string {
  const [was, is] = [before, after].map(value => (value === null ? words.nothing : auditValueText(fact, value, words)))
  return before === null ? `${is}` : `${was} → ${is}`
}

/** Lower-cases the first letter, for use after a name: `Creó un flujo` in `Luis creó un flujo`. */
export const inSentence = (text: string): string =>
  text.replace(/^\p{Lu}(?!\p{Lu})/u, first => first.toLocaleLowerCase())

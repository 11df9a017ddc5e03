import type { HookAction, HookActionKind, IncomingHook } from '#shared/incoming-hooks/api.ts'

/** The values of the form. Texts that are not filled in yet are empty. */
export interface HookDraft {
  readonly name: string
  readonly sample: string
  readonly kind: HookActionKind
  readonly number: string
  readonly contactName: string
  /** `name language` */
  readonly template: string
  readonly values: Readonly<Record<string, string>>
  readonly flowId: string
  readonly variables: Readonly<Record<string, string>>
  readonly tagId: string
  readonly text: string
  readonly memberId: string
  readonly teamId: string
  /** Fields of the contact, by id. */
  readonly contactFields: Readonly<Record<string, string>>
}

export const hookDraft = (hook: IncomingHook | undefined): HookDraft => {
  const action: Partial<HookAction> = hook?.action ?? {}
  return {
    name: hook?.name ?? '',
    sample: hook?.sample ?? '',
    kind: action.kind ?? 'template',
    number: action.number ?? '',
    contactName: action.name ?? '',
    template: action.template ? `${action.template} ${action.language}` : '',
    values: action.values ?? {},
    flowId: action.flowId ?? '',
    variables: action.variables ?? {},
    tagId: action.tagId ?? '',
    text: action.text ?? '',
    memberId: action.memberId ?? '',
    teamId: action.teamId ?? '',
    contactFields: action.fields ?? {},
  }
}

const filled = (given: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim()))

const optional = <K extends string>(field: K, value: string): Partial<Record<K, string>> =>
  value.trim() ? ({ [field]: value } as Record<K, string>) : {}

/** The action as calls take it. What is missing is refused by the server, which names it. */
export const actionOf = (draft: HookDraft, kept: HookAction | undefined): HookAction => {
  const { kind, number } = draft
  const [template = '', language = ''] = draft.template.split(' ')
  const own = {
    template: { ...optional('template', template), ...optional('language', language), values: filled(draft.values) },
    flow: { ...optional('flowId', draft.flowId), variables: filled(draft.variables) },
    tag: optional('tagId', draft.tagId),
    note: optional('text', draft.text),
    contact: { fields: filled(draft.contactFields) },
    assign: { ...optional('memberId', draft.memberId), ...optional('teamId', draft.teamId) },
  }[kind]
  const phone = kept?.phone
  return { kind, number, ...optional('name', draft.contactName), ...own, ...(phone ? { phone } : {}) }
}

import type { TemplateMedia } from '#shared/templates/api.ts'
import type { ButtonType, HeaderFormat, OtpType, SupportedApp } from '#shared/templates/components.ts'
import type { ParameterFormat, TemplateCategory } from '#shared/templates/words.ts'
import { firstCategory } from '#shared/templates/words.ts'

/** A header's file: `handle` is sent, the rest is shown. */
export type FileForm = Pick<TemplateMedia, 'handle'> & Partial<Pick<TemplateMedia, 'url' | 'mime' | 'name' | 'size'>>

export interface HeaderForm {
  readonly kind: HeaderFormat | 'NONE'
  readonly text: string
  readonly examples: Readonly<Record<string, string>>
  readonly file: FileForm | null
}

export interface ButtonForm {
  /** A key of its own, because the order changes. */
  readonly key: string
  readonly type: ButtonType
  readonly text: string
  readonly url: string
  readonly phone: string
  /** The example of the address, or the code to copy. */
  readonly example: string
  readonly flowId: string
  /** Properties this form does not show, unchanged. */
  readonly rest: Readonly<Record<string, unknown>>
}

export interface CardForm {
  readonly key: string
  readonly format: 'IMAGE' | 'VIDEO'
  readonly file: FileForm | null
  readonly body: string
  readonly examples: Readonly<Record<string, string>>
  readonly buttons: readonly ButtonForm[]
}

export interface CodeForm {
  readonly recommends: boolean
  /** Minutes as typed. Empty: not stated. */
  readonly minutes: string
  readonly type: OtpType
  readonly text: string
  readonly autofill: string
  readonly apps: readonly SupportedApp[]
  readonly accepted: boolean
}

/** A template while it is edited. Invalid input is kept. */
export interface TemplateForm {
  readonly name: string
  readonly language: string
  readonly category: TemplateCategory
  readonly format: ParameterFormat
  readonly kind: 'MESSAGE' | 'CAROUSEL'
  readonly header: HeaderForm
  readonly body: string
  readonly examples: Readonly<Record<string, string>>
  readonly footer: string
  readonly buttons: readonly ButtonForm[]
  readonly cards: readonly CardForm[]
  readonly offer: { readonly text: string; readonly expires: boolean } | null
  readonly code: CodeForm
  readonly asksToCall: boolean
  /** Seconds as typed. Empty: default. */
  readonly ttl: string
}

/** A key of a row, or of an attempt to submit. Random, so that keys stored in the browser do not collide. */
export const newKey = (): string => crypto.randomUUID()

const noHeader: HeaderForm = { kind: 'NONE', text: '', examples: {}, file: null }
export const newCode: CodeForm = {
  recommends: true,
  minutes: '10',
  type: 'COPY_CODE',
  text: '',
  autofill: '',
  apps: [{ package_name: '', signature_hash: '' }],
  accepted: false,
}

export const emptyForm = (language: string): TemplateForm => ({
  name: '',
  language,
  category: firstCategory,
  format: 'POSITIONAL',
  kind: 'MESSAGE',
  header: noHeader,
  body: '',
  examples: {},
  footer: '',
  buttons: [],
  cards: [],
  offer: null,
  code: newCode,
  asksToCall: false,
  ttl: '',
})

export const newButton = (type: ButtonType): ButtonForm => ({
  key: newKey(),
  type,
  text: '',
  url: type === 'URL' ? 'https://' : '',
  phone: '',
  example: '',
  flowId: '',
  rest: {},
})

export const newCard = (like?: CardForm): CardForm => ({
  key: newKey(),
  format: like?.format ?? 'IMAGE',
  file: null,
  body: '',
  examples: {},
  buttons: like ? like.buttons.map(({ type }) => newButton(type)) : [newButton('QUICK_REPLY')],
})

/** Files that can be previewed. */
export const filesOf = (form: TemplateForm) => {
  const shown = (file: FileForm | null, card: number | null) =>
    file?.url ? [{ card, url: file.url, mime: file.mime ?? '', name: file.name ?? null }] : []
  return form.kind === 'CAROUSEL'
    ? form.cards.flatMap(({ file }, at) => shown(file, at))
    : shown(form.header.file, null)
}

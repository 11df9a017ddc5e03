import { createSeenNumbers } from '#server/features/bulk-sends/audience/seen-numbers.ts'
import type {
  EachFile,
  FilledTemplate,
  FrozenTemplate,
  TemplateFreezing,
  TemplateValues,
} from '#server/messaging/templates/freezing.ts'
import type { OmissionReason, PlanInput, ValueSource } from '#shared/bulk-sends/api.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { isOfferOver } from '#shared/templates/sending.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'

/** Somebody who may get it, as the audience names them. */
export interface Candidate {
  /** What was typed, or the number that is known; shown of who is left out. */
  readonly given: string
  /** Digits; null: what was given is no number. */
  readonly phone: string | null
  /** A contact known by a username or a user id only. */
  readonly hidesNumber?: boolean
  readonly name: string | null
  /** Whether the caller's role may send to this contact. */
  readonly isPermitted: boolean
  /** Where somebody asks for them. */
  readonly tagIds?: readonly string[]
  /** Whether somebody here blocked them. */
  readonly isBlocked?: boolean
  /** Whether they want no marketing. */
  readonly isOptedOut: boolean
  /** Whether they had as much marketing lately as they may get. */
  readonly isCapped?: boolean
  /** What is known of the contact, by the fields that values come from. */
  readonly facts?: Readonly<Record<string, string>> | undefined
  /** The row of the file it stands in. */
  readonly row?: Readonly<Record<string, string>>
  /** Its place there, as a spreadsheet counts. */
  readonly fileRow?: number
}

export type Planned =
  | { readonly candidate: Candidate; readonly values: TemplateValues; readonly filled: FilledTemplate }
  | { readonly candidate: Candidate; readonly omitted: OmissionReason }

export interface PlannerFacts {
  readonly template: FrozenTemplate
  readonly values: PlanInput['values']
  /** Numbers of our own. */
  readonly ownPhones: readonly string[]
  readonly fill: TemplateFreezing['fill']
  /** In milliseconds. */
  readonly now: number
}

const valueFrom = (source: ValueSource, { name, phone, facts, row }: Candidate): string => {
  switch (source.from) {
    case 'fixed':
      return source.text ?? ''
    case 'name':
      return name ?? ''
    case 'firstName':
      return name?.trim().split(/\s+/)[0] ?? ''
    case 'number':
      return phone ?? ''
    case 'field': {
      const field = source.text ?? ''
      return facts && Object.hasOwn(facts, field) ? (facts[field] ?? '') : ''
    }
    case 'column': {
      const column = source.text ?? ''
      return row && Object.hasOwn(row, column) ? (row[column] ?? '') : ''
    }
  }
}

const valuesFrom = (sources: Readonly<Record<string, ValueSource>> | undefined, candidate: Candidate) =>
  Object.fromEntries(
    Object.entries(sources ?? {}).map(([name, source]) => {
      const value = valueFrom(source, candidate).trim()
      return [name, value || (source.fallback ?? '').trim()]
    }),
  )

/** What somebody's own file is called by, before it is looked up; empty: nothing. */
export const fileCellOf = (values: PlanInput['values'], candidate: Candidate): string =>
  values?.file ? (valuesFrom({ file: values.file }, candidate).file ?? '') : ''

/** WhatsApp shows it below the document; other programs take a slash for a folder. */
const fileNameFrom = (values: PlanInput['values'], candidate: Candidate): string =>
  values?.fileName
    ? [...(valuesFrom({ name: values.fileName }, candidate).name ?? '').replace(/[\s/\\]+/g, ' ')]
        .slice(0, 240)
        .join('')
    : ''

const noFiles: ReadonlyMap<string, EachFile> = new Map()

const reasonOf: Readonly<Record<string, OmissionReason>> = {
  valueRequired: 'valueMissing',
  fileRequired: 'valueMissing',
  valueOneLine: 'valueNotOneLine',
  tooLong: 'valueTooLong',
}

/** Decides one candidate after the other: what they get, or why they are left out. Remembers whom it has seen. Pure. */
export function createPlanner({ template, values, ownPhones, fill, now }: PlannerFacts) {
  const seen = createSeenNumbers()
  const own = new Set(ownPhones.map(phoneKey))
  const { image, location, offerEndsAt } = values ?? {}
  const cards = Object.entries(values?.cards ?? {})
  const isMarketing = isMarketingCategory(template.category)
  const isOver = isOfferOver(template.components, offerEndsAt, now)

  const filledFor = (candidate: Candidate, link: string | undefined) => {
    const fileName = fileNameFrom(values, candidate)
    const header = valuesFrom(values?.header, candidate)
    const given: TemplateValues = {
      body: valuesFrom(values?.body, candidate),
      header: {
        values: header,
        ...(link === undefined ? {} : { media: { link } }),
        ...(fileName ? { fileName } : {}),
        ...(location ? { location } : {}),
      },
      buttons: valuesFrom(values?.buttons, candidate),
      ...(offerEndsAt === undefined ? {} : { offerEndsAt }),
      ...(cards.length
        ? {
            cards: Object.fromEntries(
              cards.map(([at, { file, body, buttons }]) => [
                at,
                {
                  ...(file === undefined ? {} : { media: { link: file } }),
                  body: valuesFrom(body, candidate),
                  buttons: valuesFrom(buttons, candidate),
                },
              ]),
            ),
          }
        : {}),
    }
    return { given, built: fill(template, given) }
  }

  /** `files`: what the cells of the candidates name. */
  return (candidate: Candidate, files = noFiles): Planned => {
    const { phone } = candidate
    if (phone === null) return { candidate, omitted: candidate.hidesNumber ? 'usernameOnly' : 'invalidNumber' }
    const key = phoneKey(phone)
    if (own.has(key)) return { candidate, omitted: 'ownNumber' }
    if (!seen.add(key)) return { candidate, omitted: 'duplicate' }
    if (!candidate.isPermitted) return { candidate, omitted: 'noPermission' }
    if (candidate.isBlocked) return { candidate, omitted: 'blocked' }
    if (isMarketing && candidate.isOptedOut) return { candidate, omitted: 'optedOut' }
    if (isMarketing && candidate.isCapped) return { candidate, omitted: 'capped' }
    if (isOver) return { candidate, omitted: 'offerOver' }
    const file: EachFile | undefined = values?.file
      ? (files.get(fileCellOf(values, candidate)) ?? { fault: 'fileMissing' })
      : undefined
    if (file && 'fault' in file) return { candidate, omitted: file.fault }
    const { given, built } = filledFor(candidate, file?.link ?? image)
    if (built.faults) return { candidate, omitted: reasonOf[built.faults[0]?.code ?? ''] ?? 'valueMissing' }
    return { candidate, values: given, filled: built }
  }
}

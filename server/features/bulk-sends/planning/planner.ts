import type {
  EachFile,
  FilledTemplate,
  FrozenTemplate,
  TemplateFreezing,
  TemplateValues,
} from '#server/messaging/templates/freezing.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import type { OmissionReason } from '#shared/bulk-sends/states.ts'
import type { ValueSource } from '#shared/bulk-sends/values.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { isOfferOver } from '#shared/templates/sending.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import { createSeenNumbers } from '../audience/seen-numbers.ts'

/** A possible recipient. */
export interface Candidate {
  /** The typed text, or the known number; shown for omitted ones. */
  readonly given: string
  /** Digits. Null: no valid number. */
  readonly phone: string | null
  /** A contact known only by username or user id. */
  readonly hidesNumber?: boolean
  readonly name: string | null
  /** True if the caller's role may send to this contact. */
  readonly isPermitted: boolean
  /** May be empty unless the caller asked for tags. */
  readonly tagIds?: readonly string[]
  /** Blocked by a member. */
  readonly isBlocked?: boolean
  readonly isOptedOut: boolean
  /** Reached the marketing limit. */
  readonly isCapped?: boolean
  /** The contact's values of fields that template values use. */
  readonly facts?: Readonly<Record<string, string>> | undefined
  /** The row of the file. */
  readonly row?: Readonly<Record<string, string>>
  /** Its number, as spreadsheets count. */
  readonly fileRow?: number
}

export type Planned =
  | { readonly candidate: Candidate; readonly values: TemplateValues; readonly filled: FilledTemplate }
  | { readonly candidate: Candidate; readonly omitted: OmissionReason }

interface PlannerFacts {
  readonly template: FrozenTemplate
  readonly values: PlanInput['values']
  /** Our own numbers. */
  readonly ownPhones: readonly string[]
  readonly fill: TemplateFreezing['fill']
  /** The current time in milliseconds. */
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

/** The cell that names the recipient's own file. Empty: none. */
export const fileCellOf = (values: PlanInput['values'], candidate: Candidate): string =>
  values?.file ? (valuesFrom({ file: values.file }, candidate).file ?? '') : ''

/** WhatsApp shows it below the document. Slashes are removed, because other programs read them as folders. */
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

/**
 * Decides for one candidate after another: what they get, or why they are omitted. Remembers numbers it has seen.
 * Otherwise pure.
 */
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

  /** `files`: the files that the candidates' cells name. */
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

import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import type { TemplateDraft } from '#shared/templates/api.ts'
import { checkTemplate } from '#shared/templates/check.ts'
import { asRecord } from '#shared/templates/fault.ts'

/** A fault of a field, by component type: `BODY.text`, `CAROUSEL.cards.1.HEADER.example.header_handle`. */
export interface FieldFault {
  readonly field: string
  readonly text: string
  /** A missing value, which is not shown as a fault while typing. */
  readonly isMissing: boolean
}

/** Replaces the index in `components.1.text` by the component's type. */
const byKind = (draft: TemplateDraft, field: string): string => {
  const path: string[] = []
  let here: unknown = draft
  const steps = field.split('.')
  for (const [i, step] of steps.entries()) {
    const next = Array.isArray(here) ? here[Number(step)] : asRecord(here)?.[step]
    const isPart = steps[i - 1] === 'components' && /^\d+$/.test(step)
    if (isPart) path.pop()
    path.push(isPart ? String(asRecord(next)?.type ?? step) : step)
    here = next
  }
  return path.join('.')
}

const missing = new Set([
  'required',
  'exampleRequired',
  'fileRequired',
  'cardCount',
  'cardHeader',
  'cardButtons',
  'bodyRequired',
  'flowRequired',
  'appsRequired',
  'packageInvalid',
  'hashInvalid',
  'termsRequired',
])

/** Everything Meta would refuse, by the check that the server uses too. */
export const useFaultsOf = (draft: TemplateDraft): FieldFault[] => {
  const { t } = useTranslation('templates')
  return checkTemplate(draft).map(({ field, code, params }) => ({
    field: byKind(draft, field),
    text: t(`fault.${code as 'required'}`, params),
    isMissing: missing.has(code),
  }))
}

const prefix = 'body.template.'

/** The server's faults of a submitted draft. */
export const serverFaults = (draft: TemplateDraft, error: unknown): FieldFault[] =>
  isApiError(error)
    ? error.details
        .filter(({ field }) => field.startsWith(prefix))
        .map(({ field, message }) => ({
          field: byKind(draft, field.slice(prefix.length)),
          text: message,
          isMissing: false,
        }))
    : []

/** The shown faults, by field. */
export const FaultsContext = createContext<ReadonlyMap<string, string>>(new Map())

export const useFault = (field: string): string | undefined => useContext(FaultsContext).get(field)

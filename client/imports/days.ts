import type { TFunction } from 'i18next'
import type { ImportFound } from '#shared/imports/found.ts'
import { shortDate } from '#shared/kernel/time.ts'

/** The first and last day of the messages found, in the time zone of the file. */
export function daysText(t: TFunction<'imports'>, { from, to }: ImportFound, language: 'es' | 'en'): string {
  const day = (wall: string | null) => (wall ? shortDate(`${wall}Z`, language, 'UTC') : '')
  const [first, last] = [day(from), day(to)]
  return first === last ? t('found.day', { from: first }) : t('found.days', { from: first, to: last })
}

import { useSyncExternalStore } from 'react'
import { useFacts } from '#client/app/facts.ts'
import { contactColumnsKey } from '#client/app/preferences/preference.ts'
import { setCookie } from '#client/ui/page/remember.ts'
import type { ContactField } from '#shared/contacts/fields.ts'

/** No screen has room for more fields beside name, number, tags and date. */
export const maxColumns = 4
/** This many columns are shown before the person chooses some. */
const shownAtFirst = 2
/** The most choices in the cookie, of all organizations together. */
const maxKept = 60

/** This tab's choice since the page loaded. Browser only. */
let chosen: string | undefined
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param choice field ids, separated by commas; a minus before an id: not shown */
export function columnsOf(fields: readonly ContactField[], choice: string): readonly ContactField[] {
  const kept = new Set(choice.split(','))
  return fields.filter(({ id }, at) => kept.has(id) || (at < shownAtFirst && !kept.has(`-${id}`))).slice(0, maxColumns)
}

/** The choice after one field was turned on or off. Those of other organizations stay, the oldest go first. */
export const withColumn = (choice: string, id: string, isOn: boolean): string =>
  [...choice.split(',').filter(one => one && one !== id && one !== `-${id}`), isOn ? id : `-${id}`]
    .slice(-maxKept)
    .join(',')

/** The fields that are columns in this browser, and a function that shows or hides one. */
export function useColumns(
  fields: readonly ContactField[],
): readonly [columns: readonly ContactField[], show: (id: string, isOn: boolean) => void] {
  const { contactColumns } = useFacts()
  const choice = useSyncExternalStore(
    subscribe,
    () => chosen ?? contactColumns,
    () => contactColumns,
  )
  const show = (id: string, isOn: boolean) => {
    chosen = withColumn(choice, id, isOn)
    setCookie(contactColumnsKey, chosen)
    for (const listener of listeners) listener()
  }
  return [columnsOf(fields, choice), show]
}

import type { Db } from '#server/platform/db/database.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import { numbersErrors } from './errors.ts'
import { listConnections, type StoredConnection } from './store.ts'

/** The number that a caller selected; undefined: none matches, or there are none. */
export const whichOf = (connected: readonly StoredConnection[], which: { id?: string; number?: string }) => {
  if (which.id === undefined && which.number === undefined) return connected[0]
  const key = which.number === undefined ? undefined : phoneKey(digitsOf(which.number))
  return connected.find(
    ({ id, phone }) => (which.id === undefined || id === which.id) && (key === undefined || phoneKey(phone) === key),
  )
}

/** @throws NUMBERS_NOT_CONNECTED; InvalidInput if there are several and none is selected */
export const getChosenNumber = (connected: readonly StoredConnection[], which: { id?: string; number?: string }) => {
  if (connected.length > 1 && which.id === undefined && which.number === undefined)
    throw new InvalidInput([{ field: 'query.number', code: 'required', params: {} }])
  const known = whichOf(connected, which)
  if (!known) throw numbersErrors.NOT_CONNECTED()
  return known
}

/** @throws as `getChosenNumber` */
export const findOne = async (db: Db, orgId: string, which: { id?: string; number?: string }) =>
  getChosenNumber(await listConnections(db, orgId), which)

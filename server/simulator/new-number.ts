import type { Db } from '#server/platform/db/database.ts'
import { randomInt } from '../platform/crypto/random.ts'
import { newGraphId } from './ids.ts'
import { isPhoneFree } from './number-store.ts'

/** Beginnings that no magic customer has, in a range of Buenos Aires. */
const beginnings = ['17', '27', '37', '47', '57', '67', '77', '87'] as const
const verifiedName = 'Test Number'

const newPhone = async (trx: Db): Promise<string> => {
  for (;;) {
    const phone = `5491170${beginnings[randomInt(beginnings.length)]}${String(randomInt(10_000)).padStart(4, '0')}`
    if (await isPhoneFree(trx, phone)) return phone
  }
}

/** A number that nobody has yet, with its account and app. */
export const newNumber = async (trx: Db) => ({
  phoneNumberId: newGraphId(),
  wabaId: newGraphId(),
  appId: newGraphId(16),
  phone: await newPhone(trx),
  verifiedName,
})

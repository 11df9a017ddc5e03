import { randomInt } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import { newGraphId } from '#server/whatsapp/serving/ids.ts'
import { isPhoneFree } from './number-store.ts'

/** Prefixes that no test number has, in a range of Buenos Aires. */
const prefixes = ['17', '27', '37', '47', '57', '67', '77', '87'] as const
const verifiedName = 'Test Number'

const newPhone = async (trx: Db): Promise<string> => {
  for (;;) {
    const phone = `5491170${prefixes[randomInt(prefixes.length)]}${String(randomInt(10_000)).padStart(4, '0')}`
    if (await isPhoneFree(trx, phone)) return phone
  }
}

/** A number that is not in use, with account and app. */
export const newNumber = async (trx: Db) => ({
  phoneNumberId: newGraphId(),
  wabaId: newGraphId(),
  appId: newGraphId(16),
  phone: await newPhone(trx),
  verifiedName,
})
